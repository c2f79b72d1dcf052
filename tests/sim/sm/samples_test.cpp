// What an observer is told of each warp and cycle, against the ledger that the same run keeps without looking.
#include <string>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"
#include "tools/launch/launch_file.h"

namespace heddle::test {
namespace {

class Counter final : public sim::Observer {
 public:
  void warp_sampled(const sim::WarpSampled& sampled) override {
    if (sampled.state == sim::WarpSampled::State::Stalled) ++stalls[sampled.stall];
    first = std::min(first, sampled.cycle);
    last = std::max(last, sampled.cycle);
  }

  sim::StallCounts stalls;
  Cycle first = kNever;
  Cycle last = 0;
};

sim::RunResult run_example(const std::string& name, Counter& counter, sim::CycleRange samples) {
  launch::LaunchFile file = launch::load_launch(std::string(HEDDLE_SOURCE_DIR "/traces/") + name + ".yaml");
  const sim::GpuSpec gpu = sim::load_gpu("tiny", {}, HEDDLE_SOURCE_DIR "/configs");
  exec::LiveKernel kernel(file.launch, file.memory, gpu.occupancy.warp_size);
  sim::RunOptions options;
  options.observer = &counter;
  options.samples = samples;
  return sim::run(kernel, gpu, options);
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
    CHECK(silent.stalls.sum() == 0);
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
