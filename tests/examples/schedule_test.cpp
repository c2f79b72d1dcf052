// S2: the eight warps and five cycles with which an article explains a scheduler, cycle for cycle.
//
//   cycle      0    1    2    3    4     The article: "oldest ready first". Warps 0 and 1 issue an FMA (4
//   cycles), warp 0   FMA    .    .    .  FMA     warp 3 an ADD (1 cycle); warp 2's data come back from
//   memory in cycle 3; warp 1     -  FMA    .    .    .     warps 4 to 7 wait for memory all the time. warp 2
//   .    .    .  MUL    -     - ready, but another warp was picked warp 3     -    -  ADD    -    -     .
//   waits
#include <fmt/format.h>

#include <array>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"
#include "tools/report/timeline.h"

namespace heddle::test {
namespace {

using ir::TimingClass;

constexpr LaneMask kAllLanes = 0xffffffff;
constexpr unsigned kWarps = 8;

stream::StaticOp operation(TimingClass timing_class, unsigned reads, unsigned writes) {
  stream::StaticOp op;
  op.timing_class = timing_class;
  op.waits_for.add(static_cast<ir::RegisterSlot>(ir::kFirstRegister + reads));
  op.waits_for.add(static_cast<ir::RegisterSlot>(ir::kFirstRegister + writes));
  op.writes.add(static_cast<ir::RegisterSlot>(ir::kFirstRegister + writes));
  return op;
}

/// Before the example begins warp w issues in cycle w; latencies are such that what they issue first is done
/// when the article says.
Script article() {
  Script script;
  script.shape.kernel = "article";
  script.shape.block = {kWarps * 32, 1, 1};
  script.shape.registers_per_thread = 8;
  // Ready 20 cycles after warp 0 has begun: warps 0, 1 and 3.
  const std::array<std::size_t, 4> ready = {script.add(operation(TimingClass::IntToFloat, 0, 1)),
                                            script.add(operation(TimingClass::Convert, 0, 1)), 0,
                                            script.add(operation(TimingClass::SpecialRegister, 0, 1))};
  stream::StaticOp load = operation(TimingClass::LoadGlobal, 0, 1);
  load.kind = stream::OpKind::Load;
  load.space = stream::MemorySpace::Global;
  load.bytes_per_lane = 4;
  const std::size_t load_index = script.add(load);
  const std::size_t fma = script.add(operation(TimingClass::Fp32, 1, 1));
  const std::size_t add = script.add(operation(TimingClass::Alu, 1, 1));
  const std::size_t mul = script.add(operation(TimingClass::Imad, 1, 2));
  stream::StaticOp last;
  last.timing_class = TimingClass::Exit;
  last.kind = stream::OpKind::Exit;
  const std::size_t exit = script.add(last);

  script.blocks.emplace_back();
  for (unsigned w = 0; w < kWarps; ++w) {
    const bool loads = w == 2 || w >= 4;
    const std::size_t first = loads ? load_index : ready[w];
    const std::size_t then = loads ? mul : w == 3 ? add : fma;
    Script::Warp warp;
    warp.lanes = kAllLanes;
    // Warps 0, 1 and 3 go on with what needs the result; warp 2 is ready again at once.
    const std::vector<std::size_t> ops =
        loads ? std::vector{first, then, exit} : std::vector{first, then, then, exit};
    for (const std::size_t op : ops) {
      Script::Step step{op, kAllLanes, kAllLanes, {}};
      if (op == load_index) step.addresses.assign(kMaxWarpSize, Addr{w} * 4096);
      warp.steps.push_back(step);
    }
    script.blocks.back().push_back(warp);
  }
  return script;
}

}  // namespace

TEST_CASE("The article's schedule of eight warps comes out cycle for cycle on the textbook GPU") {
  const sim::GpuSpec gpu = sim::load_gpu(
      "textbook",
      {"sm.scheduler=oldest", "sm.instructions.fp32.interval=1", "sm.instructions.imad.interval=1",
       "sm.instructions.alu.interval=1", "sm.instructions.alu.latency=1",
       "sm.instructions.int_to_float.interval=1", "sm.instructions.int_to_float.latency=20",
       "sm.instructions.convert.interval=1", "sm.instructions.convert.latency=19",
       "sm.instructions.special_register.interval=1", "sm.instructions.special_register.latency=17",
       "l2.request_latency=4", "dram.latency=21"},
      HEDDLE_SOURCE_DIR "/configs");
  const Cycle first_cycle = Cycle{gpu.dispatch.kernel_launch} + 20;
  const sim::CycleRange range{first_cycle, first_cycle + 5};
  report::Timeline timeline(0, range, gpu.sm.sub_partitions);
  ScriptedKernel kernel(article());
  sim::RunOptions options;
  options.observer = &timeline;
  options.samples = range;
  sim::run(kernel, gpu, options);

  const std::string text = timeline.text(80);
  INFO(text);
  const std::array<const char*, kWarps> expected = {"#www#", "n#www", "LLL#n", "nn#nn",
                                                    "LLLLL", "LLLLL", "LLLLL", "LLLLL"};
  for (unsigned w = 0; w < kWarps; ++w) {
    CHECK(text.find(fmt::format("block 0 warp {}        {}\n", w, expected[w])) != std::string::npos);
  }
}

}  // namespace heddle::test
