// Warps of a block are launched one after another.
#include <cmath>
#include <vector>

#include "sim/config/load.h"
#include "tests/support/both_modes.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

constexpr unsigned kWarps = 4;

/// When each warp of a block issues first, counted from the first of them.
std::vector<Cycle> first_issues(const Timeline& run, BlockId block) {
  std::vector<Cycle> cycles;
  for (unsigned warp = 0; warp < kWarps; ++warp) cycles.push_back(run.cycles(warp, block).front());
  for (unsigned warp = kWarps; warp-- > 0;) cycles[warp] -= cycles[0];
  return cycles;
}

TEST_CASE("the warps of a block issue for the first time warp_launch after one another") {
  for (const double interval : {0.0, 2.6, 5.0, 40.0}) {
    INFO("an interval of " << interval);
    sim::GpuSpec spec = sim::load_gpu("tiny", {"occupancy.max_blocks=1"});
    spec.dispatch.warp_launch = interval;
    TextKernel kernel("MOV R0, RZ", {.x = 32 * kWarps}, {.x = 3});
    const Timeline run = run_both(kernel, spec);
    std::vector<Cycle> expected;
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      expected.push_back(static_cast<Cycle>(std::llround(interval * warp)));
    }
    for (BlockId block = 0; block < 3; ++block) CHECK(first_issues(run, block) == expected);
  }
}

TEST_CASE("a place is free when the last warp of its block has left, whenever that was launched") {
  sim::GpuSpec spec = sim::load_gpu("tiny", {"occupancy.max_blocks=1", "sms=1"});
  TextKernel kernel("MOV R0, RZ", {.x = 32 * kWarps}, {.x = 2});
  const auto from_block_to_block = [&](double interval) {
    spec.dispatch.warp_launch = interval;
    const Timeline run = run_both(kernel, spec);
    return run.cycles(0, 1).front() - run.cycles(0, 0).front();
  };
  CHECK(from_block_to_block(20) == from_block_to_block(0) + 20 * (kWarps - 1));
}

TEST_CASE("a warp that is not launched yet has no instruction") {
  sim::GpuSpec spec = sim::load_gpu("tiny");
  spec.dispatch.warp_launch = 50;
  TextKernel kernel("MOV R0, RZ", {.x = 32 * kWarps});
  const Timeline run = run_both(kernel, spec);
  const std::uint64_t waited = run.result.total.stalls[ir::StallReason::NoInstruction];
  CHECK(waited == 50 * (1 + 2 + 3));
}

}  // namespace
}  // namespace heddle::test
