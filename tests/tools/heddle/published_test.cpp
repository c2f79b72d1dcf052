// The suites of tests/validation: nothing is off without a reason, and DEVIATIONS.md tells what is off by how
// much. After a change that is meant to move a figure, its table is what this prints:
//   heddle validate tests/validation/*.yaml --format markdown
#include <algorithm>
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"

namespace heddle::command {

namespace {

constexpr const char* kFolder = HEDDLE_SOURCE_DIR "/tests/validation";

std::vector<std::string> suites() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("Published measurements: what the model is off by is in DEVIATIONS.md, with its reason",
          "[published]") {
  std::vector<std::string> arguments = {"validate", "--format", "markdown"};
  const std::vector<std::string> paths = suites();
  REQUIRE_FALSE(paths.empty());
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  const Outcome outcome = heddle(arguments);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const std::string listed = contents_of(std::string(kFolder) + "/DEVIATIONS.md");
  for (const std::string& row : lines_of(outcome.out)) {
    INFO("a row that DEVIATIONS.md does not have: " << row);
    CHECK(listed.find(row + '\n') != std::string::npos);
  }
  for (const std::string& row : lines_of(listed)) {
    if (!row.starts_with("| ")) continue;
    INFO("a row of DEVIATIONS.md that is no longer so: " << row);
    CHECK(outcome.out.find(row + '\n') != std::string::npos);
  }
}

}  // namespace heddle::command
