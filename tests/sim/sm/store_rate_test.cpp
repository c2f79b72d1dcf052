// Stores that memory takes more slowly than an SM can send them.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

constexpr unsigned kThreads = 1024;
constexpr unsigned kLines = kThreads / 32;  // that all threads of the block write together

/// One SM, which can send a line of 4 sectors a cycle.
sim::GpuSpec one_sm(const Overrides& more) {
  Overrides overrides = {"sms=1",
                         "l2.partitions=1",
                         "l2.slices=2",
                         "l2.sectors_per_cycle=1",
                         "l2.far_sectors_per_cycle=1",
                         "l2.efficiency=1"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return sim::load_gpu("h100", overrides);
}

/// Cycles in which `rounds` times all threads write a word, each time elsewhere.
sim::RunResult store(unsigned rounds, const sim::GpuSpec& spec) {
  std::string body = "S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, c[data]\n";
  for (unsigned i = 0; i < rounds; ++i) body += fmt::format("STG.E [R2.64+{:#x}], R0\n", 4 * kThreads * i);
  TextKernel kernel(body, {.x = kThreads}, {}, ".param data ptr");
  kernel.add_buffer("data", std::uint64_t{4} * kThreads * rounds);
  const Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
  CHECK(differences(run.result, kernel.run(spec, mode(true)).result) == std::vector<std::string>{});
  return run.result;
}

/// Cycles for a line more, of many.
double cycles_a_line(const sim::GpuSpec& spec) {
  constexpr unsigned kFew = 100;
  const Cycle few = store(kFew, spec).cycles;
  const Cycle many = store(2 * kFew, spec).cycles;
  return static_cast<double>(many - few) / (kFew * kLines);
}

TEST_CASE("stores go no faster than the slices of L2 take them") {
  // Two sectors a cycle, though those under way may be more by what is sent in a quantum; with eight slices
  // as fast as the SM sends.
  CHECK(cycles_a_line(one_sm({})) == Approx(2).epsilon(0.05));
  CHECK(cycles_a_line(one_sm({"l2.slices=8"})) == Approx(1).epsilon(0.02));
}

TEST_CASE("stores go no faster than DRAM takes what they displace in L2") {
  // 100 GB/s at 1.98 GHz are 50.5 bytes a cycle; rows and turns cost some of it.
  const double line = 128 / (100 / 1.98);
  const double cycles = cycles_a_line(one_sm({"l2.bytes=64KiB", "dram.channels=4", "dram.bandwidth_gbps=100",
                                              "dram.efficiency=1", "dram.write_batch=256"}));
  CHECK(cycles > line);
  CHECK(cycles < 1.2 * line);
}

TEST_CASE("warps whose stores memory does not take yet wait for the queue to global memory") {
  const auto stalls = [](const char* slices) {
    return store(100, one_sm({slices})).total.stalls[ir::StallReason::LgThrottle];
  };
  CHECK(stalls("l2.slices=2") > 2 * stalls("l2.slices=8"));
}

}  // namespace
}  // namespace heddle::test
