// How long every example takes, in the size in which it is tested: a change of the model, or one that was meant
// for speed alone, shows what it moved. CHANGELOG.md says of each that did, and why, under "Changes that move
// cycle counts".
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/examples/references.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"

namespace heddle::examples {
namespace {

TEST_CASE("every example takes the cycles that it took, on three GPUs", "[golden]") {
  std::string table = "gpu,example,cycles,warp_instructions\n";
  for (const char* gpu : {"h100", "rtx3080", "v100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    for (const std::string& example : launches()) {
      launch::LaunchFile file = load_example(example);
      if (!runs_on(file, spec)) continue;
      const sim::RunResult run = run_example(file, spec);
      table += fmt::format("{},{},{},{}\n", gpu, example, run.cycles, run.total.warp_instructions);
    }
  }
  test::check_golden("cycles.csv", table);
}

}  // namespace
}  // namespace heddle::examples
