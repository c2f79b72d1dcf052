// What an observer is told of each warp and cycle, against the ledger that the same run keeps without
// looking.
#include <fmt/format.h>

#include <map>
#include <string>

#include "sim/config/load.h"
#include "sim/session/live_kernel.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/sm_harness.h"
#include "tools/launch/launch_file.h"

namespace heddle::test {
namespace {

class Counter final : public sim::Observer {
 public:
  void warp_sampled(const sim::WarpSampled& sampled) override {
    if (sampled.state == sim::WarpSampled::State::Stalled) {
      ++stalls[sampled.stall];
      ++by_pc[sampled.pc][sampled.stall];
    }
    first = std::min(first, sampled.cycle);
    last = std::max(last, sampled.cycle);
  }

  sim::StallCounts stalls;
  std::map<Pc, sim::StallCounts> by_pc;
  Cycle first = kNever;
  Cycle last = 0;
};

sim::RunResult run_watched(stream::KernelSource& kernel, const sim::GpuSpec& gpu, Counter& counter,
                           sim::CycleRange samples) {
  sim::RunOptions options;
  options.observer = &counter;
  options.samples = samples;
  return run_by_instruction(kernel, gpu, options);
}

sim::RunResult run_example(const std::string& name, Counter& counter, sim::CycleRange samples) {
  launch::LaunchFile file = launch::load_launch(std::string(HEDDLE_SOURCE_DIR "/traces/") + name + ".yaml");
  const sim::GpuSpec gpu = sim::load_gpu("tiny", {}, HEDDLE_SOURCE_DIR "/configs");
  exec::LiveKernel kernel = session::live_kernel(gpu, file.launch, file.memory, exec::Divergence::Stack);
  return run_watched(kernel, gpu, counter, samples);
}

}  // namespace

TEST_CASE("Samples of every cycle add up to the stalls of the ledger, and change nothing") {
  for (const char* name : {"reduce_v1", "shared_stride", "divergent_16_16", "strided_copy"}) {
    INFO(name);
    Counter silent;
    const sim::RunResult jumped = run_example(name, silent, {});
    Counter counter;
    const sim::RunResult sampled = run_example(name, counter, {0, kNever});
    CHECK(sampled.total == jumped.total);
    CHECK(sampled.cycles == jumped.cycles);
    CHECK(counter.stalls == jumped.total.stalls);
    for (Pc pc = 0; pc < jumped.by_pc.size(); ++pc) CHECK(counter.by_pc[pc] == jumped.by_pc[pc].stalls);
    CHECK(silent.stalls.sum() == 0);
  }
}

TEST_CASE("Samples tell warps at a barrier from those that it has let go") {
  const auto run_barrier = [](Counter& counter, sim::CycleRange samples) {
    KernelRun run;
    run.text =
        ".kernel meet\n.shared words 512\nS2R R0, SR_TID.X\nLDS R1, [R0.X4]\nIADD3 R1, R1, R1, RZ\n"
        "BAR.SYNC 0x0\nIADD3 R2, R0, R0, RZ\nEXIT\n";
    run.block = {128, 1, 1};
    exec::GlobalMemory memory;
    const sim::GpuSpec gpu = sim::load_gpu("textbook", {}, HEDDLE_SOURCE_DIR "/configs");
    return run_watched(*make_kernel(run, memory), gpu, counter, samples);
  };
  Counter silent;
  const sim::RunResult jumped = run_barrier(silent, {});
  Counter counter;
  CHECK(run_barrier(counter, {0, kNever}).total == jumped.total);
  CHECK(counter.stalls == jumped.total.stalls);
  CHECK(jumped.total.stalls[ir::StallReason::Barrier] > 10);
}

// Who is looked on goes the long way through every issue.
TEST_CASE("A run that somebody looks on is the run that nobody does") {
  for (const char* name :
       {"bitonic_sort", "black_scholes", "histogram_shared", "mandelbrot", "matmul_v2", "nbody",
        "scan_exclusive", "try_lock", "spmv_csr", "sqrt_branch", "switch_paths"}) {
    INFO(name);
    launch::LaunchFile file = launch::load_launch(std::string(HEDDLE_SOURCE_DIR "/traces/") + name + ".yaml");
    const sim::GpuSpec gpu = sim::load_gpu("tiny", {}, HEDDLE_SOURCE_DIR "/configs");
    exec::LiveKernel kernel = session::live_kernel(gpu, file.launch, file.memory, exec::Divergence::Stack);
    const sim::RunResult alone = sim::run(kernel, gpu, {});
    Counter counter;
    const sim::RunResult watched = run_example(name, counter, {});
    CHECK(watched.total == alone.total);
    CHECK(watched.cycles == alone.cycles);
  }
}

/// 8 warps a sub-partition, whose reads meet in a bank while others are ready, wake, or find the queue full.
sim::RunResult run_held(Counter& counter, sim::CycleRange samples) {
  KernelRun run;
  run.text = ".kernel held\n.banked\n.shared words 4096\nS2R R0, SR_TID.X\n";
  for (unsigned i = 2; i < 48; ++i) run.text += fmt::format("MOV R{}, RZ\n", i);
  run.text += repeat(
      "FFMA R31, R2, R4, R6\nLDS R33, [R0.X4]\nIADD3 R35, R2, R4, R6\nSTS [R0.X4], R37\n"
      "FFMA R39, R8, R10, R12\nMUFU.RCP R41, R2\n",
      30);
  run.text += "EXIT\n";
  run.block = {1024, 1, 1};
  exec::GlobalMemory memory;
  return run_watched(*make_kernel(run, memory), sim::load_gpu("rtx3080", {}, HEDDLE_SOURCE_DIR "/configs"),
                     counter, samples);
}

TEST_CASE("Samples tell warps that the dispatcher holds up from those that wait for pipes and queues") {
  Counter silent;
  const sim::RunResult jumped = run_held(silent, {});
  Counter counter;
  CHECK(run_held(counter, {0, kNever}).total == jumped.total);
  CHECK(counter.stalls == jumped.total.stalls);
  for (const ir::StallReason reason : {ir::StallReason::DispatchStall, ir::StallReason::MioThrottle,
                                       ir::StallReason::MathPipeThrottle, ir::StallReason::NotSelected}) {
    CHECK(jumped.total.stalls[reason] > 1000);
  }
}

TEST_CASE("Samples are told for their range of cycles alone, and change nothing outside it") {
  Counter silent;
  const sim::RunResult jumped = run_example("reduce_v2", silent, {});
  Counter counter;
  const sim::RunResult sampled = run_example("reduce_v2", counter, {500, 600});
  CHECK(sampled.total == jumped.total);
  CHECK(counter.first == 500);
  CHECK(counter.last == 599);
}

}  // namespace heddle::test
