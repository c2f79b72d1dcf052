// Where the warp slots of an SM went: each part of the ledger by itself, drawn by hand.
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using Part = sim::WarpSlotPart;

/// One SM of 16 warps, blocks of which 5 cycles apart fit a free place; launch at 10, a block a cycle.
sim::GpuSpec one_sm(const Overrides& more = {}) {
  Overrides overrides = {"sms=1"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return sim::load_gpu("tiny", overrides);
}

/// n NOPs and an EXIT, alone in its sub-partition: n + 1 cycles.
std::string nops(unsigned count) { return repeat("NOP", count); }

TEST_CASE("one block: resident warps, and places that no block of the grid could take") {
  //  cycle     10          20
  //  warps 0-3  |NOP x 9, E |      4 warps of one block, one a sub-partition, 10 cycles
  TextKernel kernel(nops(9), {.x = 128});
  const sim::RunResult result = kernel.run(one_sm()).result;
  CHECK(result.cycles == 20);
  const sim::Ledger<Part>& slots = result.total.warp_slots;
  CHECK(slots[Part::Resident] == 4 * 10);
  CHECK(slots[Part::SmallGrid] == 12 * 10);
  CHECK(slots[Part::IdleSm] == 16 * 10);
  CHECK(slots.sum() == 16 * 20);
}

TEST_CASE("what a block's resources forbid is the resource limit") {
  // 128 threads of 9000 bytes of shared memory: one block of 4 warps fits 16 KiB.
  TextKernel kernel(nops(9), {.x = 128}, {.x = 2}, ".shared words 9000");
  const sim::RunResult result = kernel.run(one_sm()).result;
  CHECK(result.occupancy.limiters() == std::vector{sim::Resource::Shared});
  // The first block from 10 to 20, the second 5 cycles after it, from 25 to 35.
  CHECK(result.cycles == 35);
  const sim::Ledger<Part>& slots = result.total.warp_slots;
  CHECK(slots[Part::Resident] == 4 * 20);
  CHECK(slots[Part::ResourceLimit] == 12 * 20);
  CHECK(slots[Part::IdleSm] == 16 * 15);
}

TEST_CASE("places are free while blocks are still to come, then in the tail") {
  // Blocks of 8 warps, 2 a sub-partition, two places; each sub-partition issues one NOP a cycle. Three
  // blocks:
  //
  //   block 0   10 ------------------ a            two blocks share the issue slots
  //   block 1      11 ---------------- b
  //   block 2              a + 5 ------------ c    after b it is alone
  //
  TextKernel kernel(nops(20), {.x = 256}, {.x = 3});
  const Timeline run = kernel.run(one_sm());
  const auto first = [&run](BlockId block) {
    Cycle cycle = kNever;
    for (const sim::WarpIssued& event : run.issued) {
      if (event.block == block) cycle = std::min(cycle, event.cycle);
    }
    return cycle;
  };
  const auto end = [&run](BlockId block) {
    Cycle cycle = 0;
    for (const sim::WarpIssued& event : run.issued) {
      if (event.block == block) cycle = std::max(cycle, event.cycle + 1);
    }
    return cycle;
  };
  CHECK(first(0) == 10);
  const Cycle freed = std::min(end(0), end(1));
  const Cycle start = freed + 5;  // of block 2
  const Cycle over = std::max({end(0), end(1), end(2)});
  REQUIRE(std::max(end(0), end(1)) > start);  // no idle cycles between
  const sim::Ledger<Part>& slots = run.result.total.warp_slots;
  CHECK(slots[Part::LaunchRamp] == 8 * (1 + 5));  // cycle 10, and from the first end to block 2
  const Cycle alone = over - std::min(std::max(end(0), end(1)), end(2));
  CHECK(slots[Part::Tail] == 8 * alone);
  CHECK(slots[Part::SmallGrid] == 0);
  CHECK(slots[Part::IdleSm] == 16 * 10);
}

TEST_CASE("a warp that has finished holds its slot until its block ends") {
  // Warp 0 runs 30 NOPs more than warps 1 to 3, each in a sub-partition of its own.
  TextKernel kernel("S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 EXIT\n" + nops(30),
                    {.x = 128});
  const Timeline run = kernel.run(one_sm());
  const Cycle exit_of_others = run.cycles(1).back() + 1;
  const Cycle end = run.cycles(0).back() + 1;
  CHECK(run.result.total.warp_slots[Part::Finished] == 3 * (end - exit_of_others));
  CHECK(end == run.result.cycles);
}

TEST_CASE("an SM without a block is idle all the time") {
  TextKernel kernel(nops(9), {.x = 128});
  const sim::RunResult result = kernel.run(sim::load_gpu("tiny", {"sms=3"})).result;
  for (const std::size_t sm : {1U, 2U}) {
    CHECK(result.sms[sm].active_cycles == 0);
    CHECK(result.sms[sm].warp_slots[Part::IdleSm] == 16 * result.cycles);
    CHECK(result.sms[sm].issue_slots.sum() == 0);
  }
}

}  // namespace
}  // namespace heddle::test
