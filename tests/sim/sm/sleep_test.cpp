// How long NANOSLEEP lasts, and what the clock says.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/both_modes.h"

namespace heddle::test {
namespace {

/// Cycles from the sleep to the next instruction, all but the first of them stalled as `sleeping`.
Cycle slept(const std::string& sleep, const sim::GpuSpec& spec, const std::string& before = "") {
  TextKernel kernel(before + "\nsleep:\n" + sleep + "\nafter:\nNOP", {.x = 32});
  const Timeline run = run_both(kernel, spec);
  const Cycle cycles =
      run.cycles_at(kernel.pc_of("after")).front() - run.cycles_at(kernel.pc_of("sleep")).front();
  CHECK(run.result.total.stalls[ir::StallReason::Sleeping] == cycles - 1);
  CHECK(run.result.total.issue_slots.stalled[ir::StallReason::Sleeping] == cycles - 1);
  return cycles;
}

TEST_CASE("a sleep lasts its nanoseconds by the GPU's clock, in whole cycles") {
  const sim::GpuSpec tiny = sim::load_gpu("tiny");  // 1000 MHz
  CHECK(slept("NANOSLEEP 0x64", tiny) == 100);
  CHECK(slept("NANOSLEEP 0x1", tiny) == 1);
  CHECK(slept("NANOSLEEP 0x0", tiny) == 1);
  CHECK(slept("NANOSLEEP 0x3e8", sim::load_gpu("h100")) == 1980);
  CHECK(slept("NANOSLEEP 0x3e8", sim::load_gpu("tiny", {"clock_mhz=1705"})) == 1705);
  CHECK(slept("NANOSLEEP 0x7", sim::load_gpu("tiny", {"clock_mhz=1500"})) == 11);  // 10.5 cycles
}

TEST_CASE("a warp sleeps as long as the longest of its lanes asks for, a millisecond at most") {
  const sim::GpuSpec tiny = sim::load_gpu("tiny");
  CHECK(slept("NANOSLEEP R0", tiny, "S2R R0, SR_LANEID\nIMAD R0, R0, 0xa, RZ") == 310);
  CHECK(slept("@P0 NANOSLEEP R0", tiny,
              "S2R R0, SR_LANEID\nIMAD R0, R0, 0xa, RZ\nISETP.LT.U32.AND P0, PT, R0, 0x64, PT") == 90);
  CHECK(slept("@!PT NANOSLEEP 0x64", tiny) == 1);
  const sim::GpuSpec slow = sim::load_gpu("tiny", {"clock_mhz=10"});  // a millisecond is 10'000 cycles
  CHECK(slept("NANOSLEEP 0xf4240", slow) == 10'000);
  CHECK(slept("NANOSLEEP 0xffffffff", slow) == 10'000);
}

TEST_CASE("a program that reads the clock finds the cycle at which it does") {
  TextKernel kernel(
      "LDC.64 R2, c[out]\none:\nCS2R R4, SR_CLOCKLO\ntwo:\nCS2R.32 R6, SR_CLOCKLO\nthree:\nS2R R7, "
      "SR_CLOCKLO\n"
      "S2R R8, SR_CLOCKHI\nCS2R R10, SRZ\nSTG.E.64 [R2.64], R4\nSTG.E.64 [R2.64+0x8], R6\nSTG.E "
      "[R2.64+0x10], R8\n"
      "STG.E.64 [R2.64+0x18], R10",
      {.x = 1}, {}, ".param out ptr");
  const auto words = kernel.add_buffer("out", 32).as<std::uint32_t>();
  const Timeline run = run_both(kernel, sim::load_gpu("h100"));
  CHECK(words[0] == run.cycles_at(kernel.pc_of("one")).front());
  CHECK(words[1] == 0);
  CHECK(words[2] == run.cycles_at(kernel.pc_of("two")).front());
  CHECK(words[3] == run.cycles_at(kernel.pc_of("three")).front());
  CHECK(words[4] == 0);
  CHECK(words[6] == 0);
  CHECK(words[7] == 0);
}

TEST_CASE("clocks around a chain of n dependent instructions differ by n latencies") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Cycle latency = spec.sm.timing(ir::TimingClass::Fp32).latency;
    for (const unsigned length : {1U, 2U, 10U, 100U}) {
      INFO(gpu << ", " << length << " instructions");
      // The second clock overwrites the chain's register, so it waits for the last result, in another pipe;
      // the chain begins a cycle after the first clock.
      TextKernel kernel("LDC.64 R2, c[out]\nMOV R5, RZ\nIADD3 R3, R3, RZ, RZ\nCS2R.32 R4, SR_CLOCKLO\n" +
                            repeat("FADD R5, R5, R5", length) +
                            "CS2R.32 R5, SR_CLOCKLO\nIADD3 R4, R5, -R4, RZ\nSTG.E [R2.64], R4",
                        {.x = 1}, {}, ".param out ptr");
      const auto words = kernel.add_buffer("out", 4).as<std::uint32_t>();
      run_both(kernel, spec);
      CHECK(words[0] == 1 + length * latency + spec.sm.bypass.fma_alu);
    }
  }
}

}  // namespace
}  // namespace heddle::test
