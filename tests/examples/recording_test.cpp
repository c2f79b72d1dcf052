// A run that is recorded and replayed is the same run.
#include <fmt/format.h>

#include <fstream>

#include "sim/config/load.h"
#include "sim/trace/format/facts.h"
#include "sim/trace/replay/replay_kernel.h"
#include "sim/trace/write/recorder.h"
#include "tests/examples/cross_product.h"
#include "tests/examples/example_runs.h"
#include "tests/examples/references.h"
#include "tests/support/catch.h"
#include "tests/tools/launch/scratch_folder.h"

namespace heddle::examples {
namespace {

/// Runs the example, and leaves its trace.
sim::RunResult record(std::string_view name, const sim::GpuSpec& spec, const std::string& folder,
                      trace::Compression compression) {
  launch::LaunchFile file = load_small_example(name);
  exec::LiveKernel kernel = live_kernel(file, spec);
  trace::Spool spool(folder);
  trace::RecordingKernel recorder(kernel, file.launch.kernel, spool);
  recorder.set_compute_capability(spec.compute_capability);
  const sim::RunResult result = test::run_by_instruction(recorder, spec);
  recorder.write(1, "kernel.facts", *trace::open_sink(folder + "/kernel.traceg", compression),
                 *trace::open_sink(folder + "/kernel.facts", compression));
  return result;
}

bool deadlocks(const Reference& reference, const sim::GpuSpec& spec) {
  return reference.deadlocks_on_stack && spec.sm.divergence == "stack";
}

TEST_CASE("the replay of a recording takes the cycles of the run, with its ledgers and stalls") {
  launch::ScratchFolder folder;
  unsigned compared = 0;
  for (const char* gpu : {"h100", "v100", "rtx3080"}) {
    for (const char* mechanism : kMechanisms) {
      const sim::GpuSpec spec = sim::load_gpu(gpu, {mechanism});
      for (const Reference& reference : references()) {
        launch::LaunchFile file = load_small_example(reference.launch);
        if (!runs_on(file, spec) || deadlocks(reference, spec)) continue;
        INFO(reference.launch << " on " << gpu << ", " << mechanism);
        const auto compression = static_cast<trace::Compression>(compared++ % 4);
        const sim::RunResult run = record(reference.launch, spec, folder.path(""), compression);
        trace::ReplayKernel replay(trace::open_trace(folder.path("kernel.traceg")));
        CHECK(test::differences(run, test::run_by_instruction(replay, spec)) == std::vector<std::string>{});
        CHECK(replay.approximations().empty());
      }
    }
  }
  CHECK(compared > 200);
}

/// Takes from a trace the line that names its facts.
void forget_facts(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(trace::kFactsKey)) text += line + '\n';
  }
  std::ofstream(path) << text;
}

// All examples agree, under both mechanisms: where paths of theirs meet, other instructions stand before the
// next guarded branch, or there is a BSYNC. Only a guarded branch at the very place where paths meet by
// themselves would not be told.
TEST_CASE("a recording without its facts has the branches of the run, and lanes part at the same ones") {
  launch::ScratchFolder folder;
  std::uint64_t divergent = 0;
  for (const char* mechanism : kMechanisms) {
    const sim::GpuSpec spec = sim::load_gpu("h100", {mechanism});
    for (const Reference& reference : references()) {
      launch::LaunchFile file = load_small_example(reference.launch);
      if (!runs_on(file, spec) || deadlocks(reference, spec)) continue;
      INFO(reference.launch << ", " << mechanism);
      const sim::RunResult run = record(reference.launch, spec, folder.path(""), trace::Compression::None);
      forget_facts(folder.path("kernel.traceg"));
      trace::ReplayKernel kernel(trace::open_trace(folder.path("kernel.traceg")));
      const sim::RunResult replay = test::run_by_instruction(kernel, spec);
      CHECK(replay.total.branches == run.total.branches);
      CHECK(replay.total.divergent_branches == run.total.divergent_branches);
      divergent += run.total.divergent_branches;
    }
  }
  CHECK(divergent > 1000);
}

}  // namespace
}  // namespace heddle::examples
