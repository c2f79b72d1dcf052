// How fast the simulator is: warp instructions a second, on one core. Printed, not asserted.
//
//   functional   lanes executed, no time
//   timed        the same launch on the SM model
#include <benchmark/benchmark.h>

#include <string>

#include "isa/exec/functional.h"
#include "sim/config/load.h"
#include "sim/gpu/run.h"
#include "tools/launch/launch_file.h"

namespace {

using namespace heddle;

struct Case {
  const char* launch;
  std::vector<std::string> params;
  std::vector<std::string> overrides;  // of the GPU
};

launch::LaunchFile load(const Case& example) {
  launch::LaunchOverrides overrides;
  overrides.params = example.params;
  return launch::load_launch(std::string(HEDDLE_SOURCE_DIR "/traces/") + example.launch + ".yaml", overrides);
}

void count(benchmark::State& state, std::uint64_t warp_instructions) {
  state.counters["warp_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(warp_instructions), benchmark::Counter::kIsRate);
}

void functional(benchmark::State& state, const Case& example) {
  launch::LaunchFile file = load(example);
  exec::LiveKernel kernel(file.launch, file.memory, 32);
  std::uint64_t executed = 0;
  for (auto _ : state) executed += exec::run_functionally(kernel).warp_instructions;
  count(state, executed);
}

void timed(benchmark::State& state, const Case& example) {
  launch::LaunchFile file = load(example);
  const sim::GpuSpec gpu = sim::load_gpu("h100", example.overrides, HEDDLE_SOURCE_DIR "/configs");
  exec::LiveKernel kernel(file.launch, file.memory, gpu.occupancy.warp_size,
                          exec::find_divergence(gpu.sm.divergence).value());
  std::uint64_t issued = 0;
  for (auto _ : state) issued += sim::run(kernel, gpu).total.warp_instructions;
  count(state, issued);
}

// 64 resident warps on one SM.
const Case kFfma = {"ffma_ilp1", {"blocks=8", "block=256", "iterations=256"}, {"sms=1"}};
const Case kReduction = {"reduce_v1", {"n=1048576"}, {}};
const Case kVecadd = {"vecadd", {"n=4194304"}, {}};
const Case kDivergence = {"with_divergence_interleaved", {}, {}};
const Case kChase = {"pointer_chase", {}, {"sms=1"}};

BENCHMARK_CAPTURE(functional, ffma, kFfma)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, ffma_64_warps, kFfma)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(functional, reduce_v1, kReduction)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, reduce_v1, kReduction)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, vecadd, kVecadd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, divergence, kDivergence)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timed, pointer_chase, kChase)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
