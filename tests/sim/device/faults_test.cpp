// What the model says of programs that no GPU could finish.
#include "tests/support/faults.h"

#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

TEST_CASE("warps that wait at different barriers for one another are a deadlock, and each is named") {
  TextKernel kernel(two_ways("BAR.SYNC 0x0", "BAR.SYNC 0x1"), {.x = 64}, {.x = 3});
  for (const bool visit_every_cycle : {false, true}) {
    const std::string message = fault_of(kernel, sim::load_gpu("tiny"), mode(visit_every_cycle));
    check_names(message, {"kernel test", "deadlock", "waits at barrier 0 of instruction 3", "warp 0",
                          "waits at barrier 1 of instruction 5", "warp 1", "block (0,0,0)", "test.sass:"});
  }
}

TEST_CASE("a deadlock after blocks that finished is still found") {
  // Only block 5 deadlocks; the others, of an odd number of waves, run to their end.
  TextKernel kernel("S2R R1, SR_CTAID.X\nISETP.NE.U32.AND P1, PT, R1, 0x5, PT\n@P1 EXIT\n" +
                        two_ways("BAR.SYNC 0x2", "BAR.SYNC 0x3"),
                    {.x = 64}, {.x = 40});
  check_names(fault_of(kernel, sim::load_gpu("tiny")),
              {"deadlock", "block (5,0,0)", "barrier 2", "barrier 3"});
}

TEST_CASE("two warps of a block that meet at one barrier by two instructions are a fault") {
  TextKernel kernel(two_ways("BAR.SYNC 0x4", "NOP\nBAR.SYNC 0x4"), {.x = 64});
  check_names(fault_of(kernel, sim::load_gpu("tiny")),
              {"kernel test", "mismatched barrier", "barrier 4", "instruction", "warp"});
}

TEST_CASE("the same barrier may be used again and again, and different ones in turn") {
  TextKernel kernel(repeat("BAR.SYNC 0x0\nBAR.SYNC 0xf", 10), {.x = 128});
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

TEST_CASE("a loop without end meets the cycle limit, with what is still running") {
  TextKernel kernel("loop:\nNOP\nBRA loop", {.x = 32}, {.x = 7});
  sim::RunOptions options;
  options.max_cycles = 1000;
  for (const bool visit_every_cycle : {false, true}) {
    options.visit_every_cycle = visit_every_cycle;
    check_names(fault_of(kernel, sim::load_gpu("tiny"), options),
                {"kernel test", "cycle limit of 1000", "0 of 7 blocks", "block (0,0,0), warp 0"});
  }
}

TEST_CASE("a run of n cycles meets a limit of n - 1 and not one of n") {
  TextKernel arithmetic(repeat("MUFU.RCP R0, RZ", 40), {.x = 64}, {.x = 20});
  TextKernel updates("LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nRED.E.ADD.STRONG.GPU [R2.64], R2", {.x = 64},
                     {.x = 20}, ".param data ptr");
  updates.add_buffer("data", 4);
  for (const auto& [gpu, which] :
       {std::pair{"tiny", &arithmetic}, {"textbook", &arithmetic}, {"tiny", &updates}}) {
    TextKernel& kernel = *which;
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Cycle cycles = kernel.run(spec).result.cycles;
    for (const bool visit_every_cycle : {false, true}) {
      INFO(gpu << ", " << cycles << " cycles");
      sim::RunOptions options = mode(visit_every_cycle);
      options.max_cycles = cycles;
      CHECK(fault_of(kernel, spec, options) == "");
      options.max_cycles = cycles - 1;
      check_names(fault_of(kernel, spec, options), {"cycle limit"});
    }
  }
}

TEST_CASE("a limit does not shorten the way of the last stores to memory") {
  TextKernel kernel("LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nSTG.E [R2.64], RZ", {.x = 32}, {},
                    ".param data ptr");
  kernel.add_buffer("data", 4);
  const sim::GpuSpec spec = sim::load_gpu("h100");
  sim::RunOptions options;
  options.max_cycles = kernel.run(spec).result.cycles;
  CHECK(kernel.run(spec, options).result.total.memory.l2_store_sectors == 1);
}

TEST_CASE("progress is told in order, up to the number of blocks") {
  TextKernel kernel("MOV R0, RZ\n" + repeat("MUFU.RCP R0, R0", 400), {.x = 64}, {.x = 100});
  std::vector<sim::Progress> told;
  sim::RunOptions options;
  options.progress = [&told](const sim::Progress& progress) { told.push_back(progress); };
  const Timeline run = kernel.run(sim::load_gpu("tiny"), options);
  REQUIRE(told.size() > 10);
  for (std::size_t i = 1; i < told.size(); ++i) {
    CHECK(told[i].cycle > told[i - 1].cycle);
    CHECK(told[i].blocks_done >= told[i - 1].blocks_done);
  }
  CHECK(told.back().blocks == 100);
  CHECK(told.back().cycle <= run.result.cycles + 10);
}

}  // namespace
}  // namespace heddle::test
