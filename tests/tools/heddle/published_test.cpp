// The suites of tests/validation: nothing is off without a reason, and DEVIATIONS.md tells what is off by how
// much. After a change that is meant to move a figure, its table is what this prints:
//   heddle validate tests/validation/*.yaml --format markdown, or tests/validation/h100_pcie/*.yaml
#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::command {

namespace {

const std::string kFolder = HEDDLE_SOURCE_DIR "/tests/validation";

std::vector<std::string> suites(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What the suites print, of which each row must be in the folder's DEVIATIONS.md.
std::string check_rows(const std::string& folder, const std::vector<std::string>& paths,
                       const std::vector<std::string>& more = {}) {
  REQUIRE_FALSE(paths.empty());
  std::vector<std::string> arguments = {"validate", "--format", "markdown"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const std::string listed = contents_of(folder + "/DEVIATIONS.md");
  const std::size_t made = outcome.out.rfind("\nMade by heddle");  // names paths, and files by their hashes
  REQUIRE(made != std::string::npos);
  for (const std::string& row : lines_of(outcome.out.substr(0, made))) {
    if (!row.starts_with("| ")) continue;
    INFO("a row that DEVIATIONS.md does not have: " << row);
    CHECK(listed.find(row + '\n') != std::string::npos);
  }
  return outcome.out;
}

/// That the folder's suites end well, and that its DEVIATIONS.md has just the rows that they print.
void check_deviations(const std::string& folder, const std::vector<std::string>& more = {}) {
  const std::string printed = check_rows(folder, suites(folder), more);
  for (const std::string& row : lines_of(contents_of(folder + "/DEVIATIONS.md"))) {
    if (!row.starts_with("| ")) continue;
    INFO("a row of DEVIATIONS.md that is no longer so: " << row);
    CHECK(printed.find(row + '\n') != std::string::npos);
  }
}

/// Each takes a minute or more: grids of many waves, arrays of twice L2, thousands of steps.
bool takes_a_minute(const std::string& path) {
  const std::string name = std::filesystem::path(path).stem();
  const auto begins = [&](const char* group) { return name.starts_with(group); };
  return std::ranges::any_of(
      std::array{"v09_", "v10_", "v11_", "v14_", "v17_", "v18_", "v19_", "v20_", "v21_"}, begins);
}

/// What the legend of a plot says of a group: "6 cases, mean absolute error 0.7 %".
std::string legend_of(const std::string& plot, const std::string& group) {
  const std::size_t name = plot.find(">" + group + "</tspan>");
  REQUIRE(name != std::string::npos);
  const std::size_t begin = plot.find('>', plot.find("<text class=\"small\"", name)) + 1;
  return plot.substr(begin, plot.find('<', begin) - begin);
}

/// That the table of groups in docs/validation.md says what the plot does, of each.
void check_page(const std::string& plot) {
  const std::string page = contents_of(HEDDLE_SOURCE_DIR "/docs/validation.md");
  const std::regex row(R"(\| (V\d+) \| [^|]* \| (\d+) \| ([^|]*) \|)");
  std::size_t groups = 0;
  for (std::sregex_iterator each(page.begin(), page.end(), row), end; each != end; ++each, ++groups) {
    const std::string cases = (*each)[2].str() + ((*each)[2] == "1" ? " case" : " cases");
    CHECK(legend_of(plot, (*each)[1]) == cases + ", mean absolute error " + (*each)[3].str());
  }
  const std::regex name(R"(>V\d+</tspan>)");
  const std::sregex_iterator first(plot.begin(), plot.end(), name);
  CHECK(groups == static_cast<std::size_t>(std::distance(first, std::sregex_iterator())));
}

}  // namespace

TEST_CASE("Published measurements that take seconds: each row is in DEVIATIONS.md", "[published]") {
  std::vector<std::string> paths = suites(kFolder);
  std::erase_if(paths, takes_a_minute);
  check_rows(kFolder, paths);
}

TEST_CASE("Published measurements: what the model is off by is in DEVIATIONS.md, with its reason",
          "[published][.heavy]") {
  const launch::ScratchFolder folder;
  check_deviations(kFolder, {"--plot", folder.path("scatter.svg")});
  check_page(contents_of(folder.path("scatter.svg")));
}

TEST_CASE("The 440 runs measured on an H100 PCIe: what the model is off by is in DEVIATIONS.md",
          "[published][.heavy]") {
  check_deviations(kFolder + "/h100_pcie");
}

TEST_CASE("A few of the runs measured on an H100 PCIe", "[published]") {
  std::vector<std::string> arguments = {"validate", "--quiet"};
  for (const std::string& path : suites(kFolder + "/h100_pcie")) arguments.push_back(path);
  for (const char* some : {", 4096 blocks of 1024", "an iteration, 1 blocks of", "x, 64, blocks of 32"}) {
    arguments.insert(arguments.end(), {"--filter", some});
  }
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

}  // namespace heddle::command
