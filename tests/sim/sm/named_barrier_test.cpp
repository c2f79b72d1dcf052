// What named barriers cost, with a count of threads, and for warps that only let know that they have come.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tests/support/barrier_opening.h"
#include "tests/support/both_modes.h"

namespace heddle::test {
namespace {

/// The first warps' first issues of the instruction.
std::vector<Cycle> all_at(const Timeline& run, Pc pc, unsigned warps) {
  std::vector<Cycle> cycles;
  for (unsigned warp = 0; warp < warps; ++warp) cycles.push_back(run.cycles_at(pc, warp).front());
  return cycles;
}

Cycle first_at(const Timeline& run, Pc pc, unsigned warps) {
  const std::vector<Cycle> cycles = all_at(run, pc, warps);
  return *std::min_element(cycles.begin(), cycles.end());
}

TEST_CASE("the warps that a barrier counts pass it base after the last of them was taken") {
  // The first W of 16 warps meet; the others compute, and neither wait nor are waited for.
  for (const unsigned warps : {1U, 2U, 3U, 4U, 7U, 15U}) {
    INFO(warps << " warps");
    TextKernel kernel(fmt::format("S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, {0:#x}, PT\n@P0 BRA other\n"
                                  "meet:\nBAR.SYNC 0x3, {0:#x}\nafter:\nNOP\nEXIT\nother:\n{1}",
                                  32 * warps, repeat("MUFU.EX2 R1, R0", 30)),
                      {.x = 512});
    const sim::GpuSpec spec = launching_at_once("h100");
    const Timeline run = run_both(kernel, spec);
    const std::vector<Cycle> met = all_at(run, kernel.pc_of("meet"), warps);
    CHECK(first_at(run, kernel.pc_of("after"), warps) == opening(met, spec.sm.barrier));
  }
}

/// Warp 0 waits at barrier 1, warp 1 only comes to it; `early` and `late` are what they do before.
TextKernel arrival(const std::string& before_wait, const std::string& before_arrival) {
  return TextKernel("S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA second\n" +
                        before_wait + "\nwait:\nBAR.SYNC 0x1, 0x40\nafter:\nNOP\nEXIT\nsecond:\n" +
                        before_arrival + "\ncome:\nBAR.ARV 0x1, 0x40\non:\nNOP",
                    {.x = 64});
}

TEST_CASE("a warp that only arrives goes on at once, and who waits passes when it has come") {
  const std::string delay = "MOV R1, RZ\n" + repeat("MUFU.EX2 R1, R1", 20);
  for (const bool arrives_late : {true, false}) {
    TextKernel kernel = arrives_late ? arrival("", delay) : arrival(delay, "");
    const Timeline run = run_both(kernel, launching_at_once("h100"));
    const Cycle wait = run.cycles_at(kernel.pc_of("wait"), 0).front();
    const Cycle come = run.cycles_at(kernel.pc_of("come"), 1).front();
    const Cycle after = run.cycles_at(kernel.pc_of("after"), 0).front();
    CHECK((come > wait) == arrives_late);
    CHECK(run.cycles_at(kernel.pc_of("on"), 1).front() == come + 1);
    CHECK(after == std::max(come, wait) + 22 + 2);  // the other one was taken before
    CHECK(run.result.total.stalls[ir::StallReason::Barrier] == after - wait - 1);
  }
}

TEST_CASE("a barrier reduction costs what the barrier costs, and its outcome what a special register costs") {
  for (const unsigned warps : {1U, 4U, 32U}) {
    TextKernel kernel("BAR.RED.POPC.DEFER_BLOCKING 0x0, PT\nB2R.RESULT R0\nMOV R1, R0", {.x = 32 * warps});
    const sim::GpuSpec spec = launching_at_once("h100");
    const Timeline run = run_both(kernel, spec);
    CHECK(first_at(run, 1, warps) == first_at(run, 0, warps) + 22 + 2 * warps);
    const Cycle latency = spec.sm.timing(ir::TimingClass::SpecialRegister).latency;
    CHECK(run.cycles(0)[2] - run.cycles(0)[1] == latency);
  }
}

TEST_CASE("an exit does not stand for an arrival where a barrier counts") {
  // Warp 1 exits; warp 2 comes after a long time.
  const std::string body =
      "S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x40, PT\n@P0 BRA late\n"
      "ISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 EXIT\nmeet:\nBAR.SYNC 0x1, "
      "0x40\nafter:\nNOP\nEXIT\nlate:\n" +
      repeat("MUFU.EX2 R0, R0", 50) + "come:\nBAR.SYNC 0x1, 0x40";
  TextKernel kernel(body, {.x = 96});
  const Timeline run = run_both(kernel, launching_at_once("h100"));
  CHECK(run.cycles_at(kernel.pc_of("after"), 0).front() ==
        run.cycles_at(kernel.pc_of("come"), 2).front() + 22 + 2);
}

}  // namespace
}  // namespace heddle::test
