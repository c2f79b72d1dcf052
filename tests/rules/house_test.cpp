// The rules of the house, checked on its source files: who includes whom, and how long a file may be.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = HEDDLE_SOURCE_DIR;
constexpr std::size_t kLongestFile = 500;
constexpr std::size_t kMostIncludes = 12;

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Folder -> folders it may include, in the order of the file.
std::vector<std::pair<std::string, std::set<std::string>>> floors() {
  std::vector<std::pair<std::string, std::set<std::string>>> result;
  for (const std::string& line : lines_of(kRoot / "tests/rules/floors.txt")) {
    const std::size_t colon = line.find(':');
    if (line.empty() || line.front() == '#' || colon == std::string::npos) continue;
    std::istringstream names(line.substr(colon + 1));
    std::set<std::string> allowed;
    for (std::string name; names >> name;) allowed.insert(name);
    result.emplace_back(line.substr(0, colon), allowed);
  }
  return result;
}

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cpp" || extension == ".def" || extension == ".cu";
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    if (entry.is_regular_file() && is_source(entry.path())) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<fs::path> house() {
  std::vector<fs::path> paths;
  for (const char* wing : {"isa", "sim", "tools"}) {
    for (const fs::path& path : sources_below(wing)) paths.push_back(path);
  }
  return paths;
}

std::string folder_of(const fs::path& path) {
  return fs::relative(path.parent_path(), kRoot).generic_string();
}

/// The files of the house that a file includes, as they are written.
std::vector<std::string> includes_of(const fs::path& path) {
  std::vector<std::string> result;
  for (const std::string& line : lines_of(path)) {
    if (!line.starts_with("#include \"")) continue;
    const std::string name = line.substr(10, line.find('"', 10) - 10);
    if (fs::exists(kRoot / name)) result.push_back(name);
  }
  return result;
}

}  // namespace

TEST_CASE("Each folder includes only folders on floors below it") {
  const auto rules = floors();
  const std::map<std::string, std::set<std::string>> allowed(rules.begin(), rules.end());
  REQUIRE(allowed.size() > 10);
  for (const fs::path& path : house()) {
    const std::string folder = folder_of(path);
    INFO(path.string());
    REQUIRE(allowed.count(folder) == 1);
    for (const std::string& include : includes_of(path)) {
      const std::string other = fs::path(include).parent_path().generic_string();
      INFO("includes " << include);
      CHECK((other == folder || allowed.at(folder).count(other) == 1));
    }
  }
}

TEST_CASE("The floors form no cycle: a folder names only folders listed before it") {
  std::set<std::string> before;
  for (const auto& [folder, allowed] : floors()) {
    for (const std::string& other : allowed) {
      INFO(folder << " names " << other);
      CHECK(before.count(other) == 1);
    }
    before.insert(folder);
  }
}

TEST_CASE("Timing cannot execute, and what executes knows no time, only the session joins them") {
  const auto rules = floors();
  const std::map<std::string, std::set<std::string>> allowed(rules.begin(), rules.end());
  for (const auto& [folder, others] : allowed) {
    if (folder.starts_with("sim/") && folder != "sim/session") CHECK(others.count("isa/exec") == 0);
    if (!folder.starts_with("isa/")) continue;
    for (const std::string& other : others) CHECK(other.starts_with("isa/"));
  }
}

TEST_CASE("Source files are short and lean on few others") {
  for (const fs::path& path : house()) {
    INFO(path.string());
    CHECK(lines_of(path).size() <= kLongestFile);
    CHECK(includes_of(path).size() <= kMostIncludes);
  }
}

// A name that begins with a dash would be an option, and CMake takes one with a semicolon for two.
TEST_CASE("ctest can hand each test's name to the test program") {
  for (const fs::path& path : sources_below("tests")) {
    for (const std::string& line : lines_of(path)) {
      INFO(path.string() << ": " << line);
      CHECK_FALSE(line.starts_with("TEST_CASE(\"-"));
      CHECK_FALSE((line.starts_with("TEST_CASE(") && line.find(';') < line.rfind('"')));
    }
  }
}
