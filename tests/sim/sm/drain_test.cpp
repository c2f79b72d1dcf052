// What a warp waits for after EXIT: that its memory instructions leave the queue.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/both_modes.h"

namespace heddle::test {
namespace {

constexpr const char* kAddress = "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\n";

Timeline run_before_exit(const std::string& body, const sim::GpuSpec& spec) {
  TextKernel kernel(kAddress + body, {.x = 32}, {}, ".param data ptr\n.shared words 128");
  kernel.add_buffer("data", 128);
  return run_both(kernel, spec);
}

/// When the only block ends.
Cycle block_end(const Timeline& run, const sim::GpuSpec& spec) {
  return spec.dispatch.kernel_launch + run.result.total.active_cycles;
}

TEST_CASE("after n stores a warp drains until the last has reached the shared stage") {
  for (const char* gpu : {"h100", "a100", "v100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    for (unsigned stores = 1; stores <= 5; ++stores) {
      INFO(gpu << ", " << stores << " stores");
      REQUIRE(spec.sm.mio.queue_depth >= 5);
      const Timeline run = run_before_exit(repeat("STG.E [R2.64], RZ", stores), spec);
      // Issued one a cycle, at the stage one each address_interval.
      const Cycle first = run.cycles(0)[2];
      const Cycle last_served =
          first + spec.sm.mio.front_latency + (stores - 1) * spec.sm.mio.address_interval;
      const Cycle exit = first + stores;
      CHECK(run.cycles(0).back() == exit);
      CHECK(block_end(run, spec) == last_served + 1);
      CHECK(run.result.total.stalls[ir::StallReason::Drain] == last_served - exit);
      CHECK(run.result.total.issue_slots.stalled[ir::StallReason::Drain] == last_served - exit);
    }
  }
}

TEST_CASE("a warp without memory instructions in the queue leaves as it exits") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  for (const std::string& body : {std::string("NOP"), "STG.E [R2.64], RZ\n" + repeat("NOP", 10),
                                  std::string("LDS R4, [RZ]\nMOV R4, R4"), std::string("NOP\nNOP")}) {
    const Timeline run = run_before_exit(body, spec);
    CHECK(block_end(run, spec) == run.cycles(0).back() + 1);
    CHECK(run.result.total.stalls[ir::StallReason::Drain] == 0);
  }
}

TEST_CASE("a result that nobody wants is not drained once it is asked for") {
  // The load has left the queue front_latency after its issue, and comes back much later.
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Timeline run = run_before_exit("LDG.E R4, [R2.64]", spec);
  CHECK(block_end(run, spec) == run.cycles(0)[2] + spec.sm.mio.front_latency + 1);
}

TEST_CASE("a draining warp holds up its block's end, but nobody at a barrier") {
  // Warp 1 stores five times and exits; warp 0 waits at the barrier.
  TextKernel kernel(
      std::string(kAddress) +
          "S2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA meet\nNANOSLEEP 0x64\n" +
          repeat("STG.E [R2.64], RZ", 5) + "gone:\nEXIT\nmeet:\nBAR.SYNC 0x0\nafter:\nNOP",
      {.x = 64}, {}, ".param data ptr");
  kernel.add_buffer("data", 128);
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Timeline run = run_both(kernel, spec);
  const Cycle gone = run.cycles_at(kernel.pc_of("gone"), 1).front();
  CHECK(run.cycles_at(kernel.pc_of("after"), 0).front() == gone + 22 + 2);
  // The last of five stores is served 11 + 4 x 4 after the first, which issued 5 before the exit.
  CHECK(block_end(run, spec) == std::max(gone - 5 + 27 + 1, run.cycles(0).back() + 1));
  CHECK(run.result.total.stalls[ir::StallReason::Drain] == 27 - 5);
}

}  // namespace
}  // namespace heddle::test
