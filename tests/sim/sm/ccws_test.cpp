// Cache-conscious wavefront scheduling on a kernel whose warps thrash L1.
#include <fmt/format.h>

#include <vector>

#include "sim/config/load.h"
#include "sim/sm/warp_scheduler.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::sim {
namespace {

constexpr unsigned kLines = 6;    // that each warp loads, one after another,
constexpr unsigned kRounds = 40;  // again and again

/// One sub-partition and an L1 of 32 lines, any of which holds any line.
GpuSpec small_gpu(std::string_view scheduler) {
  return load_gpu("tiny", {"sms=1", "sm.sub_partitions=1", "occupancy.register_partitions=1", "l1.ways=32",
                           "l1.miss_entries=64", "l1.miss_merges=64", "sm.mio.queue_depth=8",
                           fmt::format("sm.scheduler={}", scheduler)});
}

/// Each of `warps` warps goes round lines of its own, and waits for each load.
test::Timeline rounds(unsigned warps, const GpuSpec& spec, bool visit_every_cycle = false) {
  std::string body = fmt::format(
      "S2R R0, SR_TID.X\nSHF.R.U32.HI R1, RZ, 0x5, R0\nIMAD R1, R1, {:#x}, RZ\nMOV R5, {:#x}\nloop:\n",
      kLines * 128, kRounds);
  body += "IMAD.WIDE.U32 R2, R1, 0x1, c[data]\n";
  for (unsigned line = 0; line < kLines; ++line)
    body += fmt::format("LDG.E R4, [R2.64+{:#x}]\nIADD3 R6, R4, RZ, RZ\n", line * 128);
  body += "IADD3 R5, R5, -0x1, RZ\nISETP.NE.AND P0, PT, R5, RZ, PT\n@P0 BRA loop\n";
  test::TextKernel kernel(body, {.x = 32 * warps}, {}, ".param data ptr");
  kernel.add_buffer("data", warps * kLines * 128);
  test::Timeline run = kernel.run(spec, test::mode(visit_every_cycle));
  CHECK(test::broken_laws(run.result, spec) == std::vector<std::string>{});
  return run;
}

std::uint64_t misses(std::string_view scheduler, unsigned warps) {
  return rounds(warps, small_gpu(scheduler)).result.total.memory.l1_miss_sectors;
}

// 16 warps with 6 lines each use 96 lines, L1 has 32. In turns, a warp's line comes again after 95 others: each
// load misses. Five warps' lines would fit. Each load is of one sector: four bytes.
TEST_CASE("ccws keeps lines for warps that share too small an L1, where lrr and gto lose them") {
  constexpr unsigned kWarps = 16;
  const std::uint64_t all = std::uint64_t{kWarps} * kLines * kRounds;
  const std::uint64_t in_turns = misses("lrr", kWarps);
  const std::uint64_t greedy = misses("gto", kWarps);
  const std::uint64_t conscious = misses("ccws", kWarps);
  CAPTURE(all, in_turns, greedy, conscious);
  CHECK(in_turns >= all * 9 / 10);
  CHECK(conscious >= kWarps * kLines);  // each line comes once at least
  CHECK(conscious < in_turns / 2);
  CHECK(conscious < greedy);
}

TEST_CASE("ccws is gto where no warp loses a line") {
  constexpr unsigned kWarps = 5;
  const test::Timeline conscious = rounds(kWarps, small_gpu("ccws"));
  const test::Timeline greedy = rounds(kWarps, small_gpu("gto"));
  CHECK(conscious.result.total.memory.l1_miss_sectors == kWarps * kLines);
  CHECK(conscious.result.cycles == greedy.result.cycles);
  CHECK(conscious.result.total.stalls == greedy.result.total.stalls);
}

TEST_CASE("ccws: jumped and cycle by cycle, warps that are held back wait the same") {
  const GpuSpec spec = small_gpu("ccws");
  const test::Timeline jumped = rounds(16, spec);
  CHECK(test::differences(jumped.result, rounds(16, spec, true).result) == std::vector<std::string>{});
  CHECK(jumped.result.total.stalls[ir::StallReason::LgThrottle] > 0);
}

/// A policy by itself, with four warps, the older ones first.
std::unique_ptr<WarpScheduler<WarpSet>> with_four_warps() {
  auto policy = scheduler_policy("ccws").make<WarpSet>();
  for (unsigned warp = 0; warp < 4; ++warp) policy->started(warp, (WarpSet{1} << warp) - 1);
  return policy;
}

// Four warps of 100 each make a cutoff of 400. One lost line after one instruction: 8 x 400 x 1 / 1 = 3200 for
// its warp, beside which no other has room; a score of 3200 falls by one a cycle, and the last one is let go when
// the sum is 400 again.
TEST_CASE("a warp that has lost a line vetoes others until its score has fallen") {
  const auto policy = with_four_warps();
  Candidates<WarpSet> candidates;
  candidates.eligible = 0b1111;
  const std::vector<WarpSet> older = {0, 1, 3, 7};
  candidates.older = older;
  CHECK(policy->pick(candidates) == 0);
  CHECK(policy->vetoed(10) == 0);
  policy->loaded({.now = 10, .warp = 2, .line = 77, .sectors = 1, .missing = 1});  // never had it
  CHECK(policy->vetoed(10) == 0);
  policy->lost(2, 77);
  policy->loaded({.now = 20, .warp = 1, .line = 77, .sectors = 1, .missing = 1});  // not its line
  CHECK(policy->vetoed(20) == 0);
  policy->loaded({.now = 20, .warp = 2, .line = 77, .sectors = 1, .missing = 1});
  CHECK(policy->vetoed(20) == 0b1011);
  // At 200, warps 2 and 0 make 300, and 1 with them 400; 3, the youngest, is over.
  CHECK(policy->vetoed(20 + 3000) == 0b1000);
  CHECK(policy->vetoed(20 + 3099) == 0b1000);
  CHECK(policy->vetoed(20 + 3100) == 0);
  policy->retired(2);
  CHECK(policy->vetoed(30) == 0);
}

}  // namespace
}  // namespace heddle::sim
