// Why a warp did not issue: each reason by itself, in cycles counted by hand.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::StallReason;

/// The counts of a kernel of one warp on an H100; every slot that its scheduler loses is lost to what the
/// warp waits for.
sim::StallCounts stalls_of(TextKernel& kernel) {
  const sim::GpuSpec spec = launching_at_once("h100", {"l2.partitions=1", "dram.latency=656"});
  const sim::SmCounters total = kernel.run(spec).result.total;
  CHECK(total.issue_slots.stalled == total.stalls);
  CHECK(total.issue_slots.no_warp == 3 * total.active_cycles);  // the other sub-partitions
  return total.stalls;
}

/// Only these reasons, with these counts.
void check_stalls(const sim::StallCounts& found,
                  std::initializer_list<std::pair<StallReason, std::uint64_t>> expected) {
  sim::StallCounts counts;
  for (const auto& [reason, cycles] : expected) counts[reason] = cycles;
  for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
    const auto reason = static_cast<StallReason>(i);
    INFO(ir::info(reason).key);
    CHECK(found[reason] == counts[reason]);
  }
}

TEST_CASE("a chain of n multiply-adds waits 3 cycles n - 1 times") {
  TextKernel kernel("FFMA R0, RZ, RZ, RZ\n" + repeat("FFMA R0, RZ, RZ, R0", 20), {.x = 32});
  check_stalls(stalls_of(kernel), {{StallReason::Wait, 3 * 20}});
}

TEST_CASE("a chain of special functions waits on the short scoreboard") {
  TextKernel kernel("MUFU.RCP R0, RZ\n" + repeat("MUFU.RCP R0, R0", 10), {.x = 32});
  check_stalls(stalls_of(kernel), {{StallReason::ShortScoreboard, 16 * 10}});
}

TEST_CASE("independent special functions wait for their pipe") {
  TextKernel kernel("MUFU.RCP R0, RZ\nMUFU.RCP R1, RZ\nMUFU.RCP R2, RZ", {.x = 32});
  check_stalls(stalls_of(kernel), {{StallReason::MathPipeThrottle, 7 * 2}});
}

TEST_CASE("a use of shared memory waits on the short scoreboard for the latency of shared memory") {
  TextKernel kernel("LDS R0, [RZ]\nIADD3 R1, R0, RZ, RZ", {.x = 32}, {}, ".shared words 128");
  check_stalls(stalls_of(kernel), {{StallReason::ShortScoreboard, 28}});
}

TEST_CASE("a use of global memory waits on the long scoreboard") {
  // LDC at 0, IADD3 at 26, LDG at 31 (the address's high half, from another unit), its use at 31 + 656.
  TextKernel kernel("LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nLDG.E R4, [R2.64]\nIADD3 R4, R4, RZ, RZ",
                    {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", 128);
  check_stalls(
      stalls_of(kernel),
      {{StallReason::ShortScoreboard, 25}, {StallReason::Wait, 4}, {StallReason::LongScoreboard, 655}});
}

TEST_CASE("a full queue throttles shared and global instructions under their names") {
  // Five are taken at 0 to 4, the sixth at 11 when the first reaches the stage, the seventh and eighth 4
  // cycles later each. The eighth gets there at 11 + 7 x 4, 19 cycles after the exit at 20.
  std::string body;
  for (unsigned i = 0; i < 8; ++i) body += fmt::format("LDS R{}, [RZ]\n", i);
  TextKernel shared(body, {.x = 32}, {}, ".shared words 128");
  check_stalls(stalls_of(shared), {{StallReason::MioThrottle, 6 + 3 + 3}, {StallReason::Drain, 19}});

  body = "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\n";
  for (unsigned i = 0; i < 8; ++i) body += "STG.E [R2.64], RZ\n";
  TextKernel global(body, {.x = 32}, {}, ".param data ptr");
  global.add_buffer("data", 128);
  check_stalls(stalls_of(global), {{StallReason::ShortScoreboard, 25},
                                   {StallReason::Wait, 4},
                                   {StallReason::LgThrottle, 6 + 3 + 3},
                                   {StallReason::Drain, 19}});
}

TEST_CASE("the target of a branch is waited for as branch_resolving") {
  TextKernel kernel("BRA there\nthere:\nNOP", {.x = 32});
  check_stalls(stalls_of(kernel), {{StallReason::BranchResolving, 10}});
}

TEST_CASE("a warp that meets only itself at a barrier waits base + per_warp") {
  TextKernel kernel("BAR.SYNC 0x0\nNOP", {.x = 32});
  check_stalls(stalls_of(kernel), {{StallReason::Barrier, 22 + 2 - 1}});
}

TEST_CASE("a wait counts under what ends last") {
  // Back at 17 from the special function, at 4 from the addition: all 16 cycles are the special function's.
  TextKernel kernel("MUFU.RCP R0, RZ\nFADD R1, R0, RZ", {.x = 32});
  check_stalls(stalls_of(kernel), {{StallReason::ShortScoreboard, 16}});
}

TEST_CASE("of w warps that are ready all the time w - 1 are not selected") {
  // 4 warps of a scheduler, each with 10 NOPs: the last one waits for the 33 instructions of the others, and
  // so on.
  const sim::GpuSpec spec = launching_at_once("h100");
  TextKernel kernel(repeat("NOP", 10), {.x = 512});
  const sim::SmCounters total = kernel.run(spec).result.total;
  // Greedy: warp k starts when its elders' 11 instructions are through (EXIT takes the pipe for 2 cycles: a
  // later NOP waits one for it).
  const std::uint64_t waited = (11 + 22 + 33) + (1 + 2 + 3);
  CHECK(total.stalls[StallReason::NotSelected] + total.stalls[StallReason::MathPipeThrottle] == 4 * waited);
  CHECK(total.stalls[StallReason::MathPipeThrottle] == 4 * (3 + 2 + 1));
  CHECK(total.issue_slots.stalled[StallReason::MathPipeThrottle] == 4 * 3);
}

}  // namespace
}  // namespace heddle::test
