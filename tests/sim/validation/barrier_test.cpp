// Barriers one after another: 22 + 2 W cycles each with W warps, measured on B300.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/sim/validation/published.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

TEST_CASE("V15: from barrier to barrier with W warps") {
  const sim::GpuSpec spec = sim::load_gpu("b200");
  constexpr unsigned kBarriers = 20;
  std::vector<Figure> figures;
  for (const unsigned warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
    TextKernel kernel(repeat("BAR.SYNC 0x0", kBarriers), {.x = 32 * warps});
    const std::vector<Cycle> issues = kernel.run(spec).cycles(0);
    const double took = static_cast<double>(issues[kBarriers - 1] - issues[kBarriers / 2]);
    figures.push_back(
        {"b200", fmt::format("{} warps", warps), 22.0 + 2 * warps, took / (kBarriers - 1 - kBarriers / 2)});
  }
  check_published("V15", figures);
}

}  // namespace
}  // namespace heddle::test
