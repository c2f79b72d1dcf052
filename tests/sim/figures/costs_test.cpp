// For which instruction slots are lost: what the kernels' registers and the counters say.
#include "sim/figures/costs.h"

#include "isa/text/assemble.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

ir::Kernel kernel_of(const std::string& body) {
  return text::assemble(".kernel k\n" + body + "\nEXIT\n", "test.sass").front();
}

/// A run on two SMs of four schedulers and one without a block. 40 cycles are left after the last block.
RunResult run_of(const ir::Kernel& kernel) {
  RunResult run;
  run.cycles = 100;
  run.blocks_end = 60;
  run.sms.resize(3);
  for (SmCounters* sm : {&run.sms[0], &run.sms[1]}) {
    sm->active_cycles = 50;
    sm->issue_slots.issued = 200;
  }
  run.by_pc.resize(kernel.instructions.size());
  for (PcCounters& counters : run.by_pc) counters.issued = 1;
  return run;
}

/// The slots that are lost for the first load if a warp loses ten at each addition.
std::uint64_t chained(const std::string& body) {
  const ir::Kernel kernel = kernel_of(body);
  RunResult run = run_of(kernel);
  for (Pc pc = 0; pc < run.by_pc.size(); ++pc) {
    if (kernel.instructions[pc].opcode == ir::Opcode::Fadd)
      run.by_pc[pc].lost_slots[ir::StallReason::LongScoreboard] = 10;
  }
  std::uint64_t sum = 0;
  for (const Cost& cost : costs_of(kernel, run)) sum += cost.chained;
  return sum;
}

}  // namespace

TEST_CASE("What is issued once does not make a loop wait in each round") {
  const ir::Kernel kernel = kernel_of(
      "S2R R1, SR_TID.X\nMOV R6, 0x4\nloop:\nLDS R4, [R6]\nFADD R8, R4, R1\nFADD R9, R8, R6\nBRA loop");
  RunResult run = run_of(kernel);
  for (Pc pc = 2; pc < 6; ++pc) run.by_pc[pc].issued = 16;
  run.by_pc[3].lost_slots[ir::StallReason::ShortScoreboard] = 10;  // R4 of LDS, or R1 of S2R
  run.by_pc[4].lost_slots[ir::StallReason::Wait] = 20;             // R8 of FADD, or R6 of MOV
  const std::vector<Cost> costs = costs_of(kernel, run);
  CHECK(costs[2].slots[ir::StallReason::ShortScoreboard] == 10);
  CHECK(costs[3].slots[ir::StallReason::Wait] == 20);
  CHECK(costs[0].slots.sum() + costs[1].slots.sum() == 0);
}

TEST_CASE("A load whose result leads to its next address is a chain, by whatever registers") {
  CHECK(chained("loop:\nLDG.E R2, [R2.64]\nFADD R8, R8, R2\nBRA loop") == 10);
  CHECK(chained("loop:\nLDG.E R4, [R2.64]\nFADD R8, R8, R4\nIADD3 R5, R4, R4, RZ\nIADD3 R2, R5, 0x4, RZ\n"
                "BRA loop") == 10);
  // The next address follows from the last address, or the register holds something else before.
  CHECK(chained("loop:\nLDG.E R4, [R2.64]\nFADD R8, R8, R4\nIADD3 R2, R2, 0x4, RZ\nBRA loop") == 0);
  CHECK(chained("loop:\nLDG.E R4, [R2.64]\nFADD R8, R8, R4\nMOV R4, 0x4\nIADD3 R2, R2, R4, RZ\nBRA loop") ==
        0);
  CHECK(chained("LDG.E R2, [R2.64]\nFADD R8, R8, R2") == 0);  // there is no next time
}

TEST_CASE("Four sums in a row are a chain, without a loop, too") {
  const auto chained_waits = [](const std::string& body) {
    const ir::Kernel kernel = kernel_of(body);
    RunResult run = run_of(kernel);
    for (Pc pc = 1; pc < 5; ++pc) run.by_pc[pc].lost_slots[ir::StallReason::Wait] = 10;
    std::uint64_t sum = 0;
    for (const Cost& cost : costs_of(kernel, run)) sum += cost.chained;
    return sum;
  };
  // What the fifth waits for is the fourth in a row.
  CHECK(chained_waits(
            "FADD R2, R2, R3\nFADD R2, R2, R3\nFADD R2, R2, R3\nFADD R2, R2, R3\nFADD R2, R2, R3") == 10);
  CHECK(chained_waits(
            "FADD R2, R2, R3\nFADD R4, R2, R3\nFADD R5, R2, R3\nFADD R6, R2, R3\nFADD R7, R2, R3") == 0);
}

TEST_CASE("Lanes that a guard switches off are lost for what decided the guard, and part if others work") {
  const ir::Kernel kernel =
      kernel_of("ISETP.NE.AND P0, PT, R1, RZ, PT\nMOV R2, 0x1\n@P0 MOV R3, 0x2\n@P0 EXIT");
  RunResult run = run_of(kernel);
  PcCounters& guarded = run.by_pc[2];
  guarded.issued = 2;
  guarded.partial_issues = 1;  // all lanes of one warp, none of another
  guarded.lane_slots[LaneSlotPart::Executed] = 32;
  guarded.lane_slots[LaneSlotPart::PredicatedOff] = 32;
  run.by_pc[3].lane_slots[LaneSlotPart::PredicatedOff] = 5;
  const std::vector<Cost> uniform = costs_of(kernel, run);
  CHECK(uniform[0].lanes == 32);
  CHECK(uniform[0].parted == 0);
  CHECK(uniform[3].lanes == 5);
  guarded.partial_issues = 2;  // half of the lanes of both
  CHECK(costs_of(kernel, run)[0].parted == 32);
}

TEST_CASE("Cycles after the last block belong to the access with most turns at L2") {
  const ir::Kernel kernel =
      kernel_of("STG.E [R2.64], R4\nRED.E.ADD.STRONG.GPU [R2.64], R4\nSTG.E [R6.64], R4");
  RunResult run = run_of(kernel);
  run.by_pc[0].memory.global_store_sectors = 4;
  run.by_pc[1].memory.global_atomic_requests = 1;
  run.by_pc[1].memory.global_atomic_sectors = 1;
  run.by_pc[1].lane_slots[LaneSlotPart::Executed] = 32;
  run.by_pc[2].memory.global_store_sectors = 31;
  const std::uint64_t slots = 40 * 2 * 4;
  const std::vector<Cost> one_address = costs_of(kernel, run);
  CHECK(one_address[1].late == slots);  // 32 lanes take turns
  CHECK(one_address[1].slots.sum() == 0);
  CHECK(one_address[1].lane_slots(32) == slots * 32);
  run.by_pc[1].memory.global_atomic_sectors = 4;  // as many addresses as lanes
  const std::vector<Cost> many_addresses = costs_of(kernel, run);
  CHECK(many_addresses[1].late == 0);
  CHECK(many_addresses[2].late == slots);
  for (PcCounters& counters : run.by_pc) counters.memory = {};
  for (const Cost& cost : costs_of(kernel, run)) CHECK(cost == Cost{});  // nobody asked for anything
}

}  // namespace heddle::sim
