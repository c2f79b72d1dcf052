#include "tests/sim/validation/published.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <set>

#include "tests/support/catch.h"

namespace heddle::test {

namespace {

constexpr double kTolerance = 0.05;

double deviation(const Figure& figure) { return figure.simulated / figure.measured - 1; }

/// A row of the table up to the reason.
std::string row_of(const std::string& name, const Figure& figure) {
  return fmt::format("| {} | {} | {} | {} | {:.2f} | {:+.0f} % |", name, figure.gpu, figure.what,
                     figure.measured, figure.simulated, 100 * deviation(figure));
}

/// The rows of a case, each up to the reason, which must be there.
std::set<std::string> listed_rows(const std::string& name) {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/validation/DEVIATIONS.md");
  REQUIRE(file);
  std::set<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| " + name + " ")) continue;
    const std::size_t end = line.find("% |");
    if (end == std::string::npos) continue;
    INFO(line);
    CHECK(line.size() > end + 8);
    rows.insert(line.substr(0, end + 3));
  }
  return rows;
}

}  // namespace

void check_published(const std::string& name, const std::vector<Figure>& figures) {
  std::set<std::string> listed = listed_rows(name);
  for (const Figure& figure : figures) {
    if (std::abs(deviation(figure)) <= kTolerance) continue;
    const std::string row = row_of(name, figure);
    INFO("a figure that DEVIATIONS.md does not have: " << row);
    CHECK(listed.erase(row) == 1);
  }
  for (const std::string& row : listed) {
    INFO("a row of DEVIATIONS.md that is no longer so: " << row);
    CHECK(row.empty());
  }
}

Cycle cycles_of(TextKernel& kernel, const sim::GpuSpec& spec) { return kernel.run(spec).result.cycles; }

}  // namespace heddle::test
