// Where the lanes of issued instructions went: each part of the lane ledger by itself.
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using Part = sim::LaneSlotPart;

sim::Ledger<Part> lanes_of(TextKernel& kernel, const std::string& gpu = "h100") {
  const sim::GpuSpec spec = sim::load_gpu(gpu);
  const Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
  return run.result.total.lane_slots;
}

TEST_CASE("a partial warp lacks its lanes in every instruction") {
  // 40 threads: a whole warp and one of 8 lanes; 3 NOPs and EXIT each.
  TextKernel kernel(repeat("NOP", 3), {.x = 40});
  const sim::Ledger<Part> lanes = lanes_of(kernel);
  CHECK(lanes[Part::Executed] == 4 * 40);
  CHECK(lanes[Part::NeverExisted] == 4 * 24);
  CHECK(lanes.sum() == 4 * 64);
}

TEST_CASE("lanes whose guard does not hold are predicated off") {
  TextKernel kernel("S2R R0, SR_LANEID\nISETP.LT.U32.AND P0, PT, R0, 0x5, PT\n" + repeat("@P0 NOP", 7),
                    {.x = 32});
  const sim::Ledger<Part> lanes = lanes_of(kernel);
  CHECK(lanes[Part::PredicatedOff] == 7 * 27);
  CHECK(lanes[Part::Executed] == 7 * 5 + 3 * 32);
  CHECK(lanes[Part::Diverged] == 0);
}

TEST_CASE(
    "lanes on the other path are diverged, lanes that took the branch are predicated off at it for no one") {
  // 10 lanes jump over 6 NOPs. At the branch they execute, the 22 others have their guard off.
  TextKernel kernel("S2R R0, SR_LANEID\nISETP.LT.U32.AND P0, PT, R0, 0xa, PT\n@P0 BRA join\n" +
                        repeat("NOP", 6) + "join:\nNOP",
                    {.x = 32});
  const sim::Ledger<Part> lanes = lanes_of(kernel);
  CHECK(lanes[Part::Diverged] == 6 * 10);
  CHECK(lanes[Part::PredicatedOff] == 22);
  CHECK(lanes[Part::Executed] == 2 * 32 + 10 + 6 * 22 + 2 * 32);
}

TEST_CASE("lanes that have exited are exited from then on") {
  TextKernel kernel("S2R R0, SR_LANEID\nISETP.GE.U32.AND P0, PT, R0, 0x3, PT\n@P0 EXIT\n" + repeat("NOP", 9),
                    {.x = 32});
  const sim::Ledger<Part> lanes = lanes_of(kernel);
  CHECK(lanes[Part::Exited] == 10 * 29);
  CHECK(lanes[Part::PredicatedOff] == 3);
  CHECK(lanes[Part::Executed] == 2 * 32 + 29 + 10 * 3);
}

TEST_CASE("warps of 16 and 64 lanes count theirs") {
  for (const unsigned warp_size : {16U, 64U}) {
    const sim::GpuSpec spec = sim::load_gpu("h100", {"occupancy.warp_size=" + std::to_string(warp_size)});
    TextKernel kernel(repeat("NOP", 4), {.x = 72});
    const Timeline run = kernel.run(spec);
    const unsigned warps = (72 + warp_size - 1) / warp_size;
    INFO(warp_size);
    CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
    CHECK(run.result.total.warp_instructions == 5 * warps);
    CHECK(run.result.total.lane_slots[Part::Executed] == 5 * 72);
    CHECK(run.result.total.lane_slots[Part::NeverExisted] == 5 * (warps * warp_size - 72));
  }
}

}  // namespace
}  // namespace heddle::test
