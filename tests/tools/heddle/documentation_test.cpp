// README.md and docs/: each command that they show runs as it is written, and each file that they name is
// there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = HEDDLE_SOURCE_DIR;

std::vector<fs::path> pages() {
  std::vector<fs::path> paths = {kRoot / "README.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The pieces of a page that are marked as being in the language.
std::vector<std::string> pieces_of(const std::string& page, const std::string& language) {
  std::vector<std::string> pieces;
  const std::string mark = fmt::format("\n```{}\n", language);
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    pieces.push_back(page.substr(begin, page.find("\n```\n", begin) + 1 - begin));
  }
  return pieces;
}

/// What needs a GPU, NVIDIA's compiler or profiler, or minutes.
bool is_for_others(const std::string& line) {
  const std::vector<std::string_view> marks = {"nvcc ", "ncu ", "report.csv", "measured.json", "minutes"};
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return line.find(mark) != std::string::npos; });
}

/// The lines of a page that call heddle.
std::vector<std::string> commands_of(const std::string& page) {
  std::vector<std::string> commands;
  for (const std::string& piece : pieces_of(page, "sh")) {
    for (const std::string& line : lines_of(std::regex_replace(piece, std::regex("\\\\\n"), ""))) {
      const bool calls = line.find("heddle ") != std::string::npos;
      if (calls && !is_for_others(line)) commands.push_back(line);
    }
  }
  return commands;
}

/// A folder that looks like the root of the project, with what the pages take for granted.
void furnish(const launch::ScratchFolder& folder) {
  for (const char* name : {"traces", "tests", "configs", "docs"})
    fs::create_directory_symlink(kRoot / name, folder.path(name));
  folder.write("configurations.csv", "block,regs,smem\n256,40,0\n512,64,8192\n");
  const std::string writing = contents_of((kRoot / "docs/writing.md").string());
  folder.write("dot.sass", pieces_of(writing, "sass").at(0));
  folder.write("dot.yaml", pieces_of(writing, "yaml").at(0));
}

}  // namespace

TEST_CASE("Each command that README.md and docs show runs as it is written") {
  std::size_t run = 0;
  for (const fs::path& path : pages()) {
    const launch::ScratchFolder folder;
    furnish(folder);
    for (const std::string& line : commands_of(contents_of(path.string()))) {
      const std::string call = fmt::format(
          "cd '{}' && export HEDDLE_CONFIGS='{}/configs' heddle='{}' PATH='{}':$PATH && {{ {}\n}} >out 2>err",
          folder.path(), HEDDLE_SOURCE_DIR, HEDDLE_COMMAND, fs::path(HEDDLE_COMMAND).parent_path().string(),
          line);
      const int status = std::system(call.c_str());
      INFO(path.string() << ": " << line);
      INFO(contents_of(folder.path("err")));
      CHECK(status == 0);
      ++run;
    }
  }
  CHECK(run > 25);
}

TEST_CASE("What README.md and docs link to is there") {
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  for (const fs::path& path : pages()) {
    const std::string page = contents_of(path.string());
    for (std::sregex_iterator each(page.begin(), page.end(), link), end; each != end; ++each) {
      INFO(path.string() << " links to " << (*each)[1]);
      CHECK(fs::exists(path.parent_path() / (*each)[1].str()));
    }
  }
}

TEST_CASE("README.md can be read at one go, and docs/README.md names every page") {
  CHECK(lines_of(contents_of((kRoot / "README.md").string())).size() <= 150);
  const std::string index = contents_of((kRoot / "docs/README.md").string());
  for (const fs::path& path : pages()) {
    if (path.filename() == "README.md") continue;
    INFO(path.string());
    CHECK(index.find(fmt::format("]({})", path.filename().string())) != std::string::npos);
    const std::string title = lines_of(contents_of(path.string())).at(0);
    CHECK(title.starts_with("# "));
    CHECK(title.ends_with("?"));
    CHECK(index.find(title.substr(2)) != std::string::npos);
  }
}

}  // namespace heddle::command
