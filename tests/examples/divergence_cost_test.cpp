// What divergence costs: D3, D4 and R1 of the examples, on the H100.
#include <string>
#include <vector>

#include "isa/exec/live_kernel.h"
#include "sim/config/load.h"
#include "sim/device/run.h"
#include "sim/session/live_kernel.h"
#include "tests/support/catch.h"
#include "tools/launch/launch_file.h"

namespace {

using namespace heddle;

double cycles_on_h100(const std::string& name, const Overrides& params,
                      exec::Divergence divergence = exec::Divergence::Barriers) {
  launch::LaunchOverrides overrides;
  overrides.params = params;
  launch::LaunchFile file =
      launch::load_launch(std::string(HEDDLE_SOURCE_DIR "/traces/") + name + ".yaml", overrides);
  const sim::GpuSpec gpu = sim::load_gpu("h100", {}, HEDDLE_SOURCE_DIR "/configs");
  exec::LiveKernel kernel = session::live_kernel(gpu, file.launch, file.memory, divergence);
  const auto cycles = static_cast<double>(sim::run(kernel, gpu).cycles);
  CHECK(launch::run_checks(file).empty());
  return cycles;
}

void check_what_order_gains(exec::Divergence divergence) {
  const Overrides size = {"n=1048576"};  // that of the article
  const double interleaved = cycles_on_h100("with_divergence_interleaved", size, divergence);
  const double grouped = cycles_on_h100("with_divergence_grouped", size, divergence);
  const double without_branch = cycles_on_h100("no_divergence", size, divergence);
  INFO(interleaved << " interleaved, " << grouped << " grouped, " << without_branch << " without the branch");
  CHECK(interleaved / grouped == Approx(1.95).epsilon(0.1));  // the article's
  CHECK(without_branch / interleaved == Approx(1.0).epsilon(0.05));
}

}  // namespace

TEST_CASE(
    "Data in order make a diverging kernel about twice as fast, the kernel without the branch does not") {
  check_what_order_gains(exec::Divergence::Barriers);
}

TEST_CASE("With a stack, too, data in order make a diverging kernel about twice as fast", "[.heavy]") {
  check_what_order_gains(exec::Divergence::Stack);
}

// What both share, the launch and the blocks' first and last steps, is a smaller part of a longer run.
TEST_CASE("With more data what their order gains comes between 1.8 and 2.1", "[.heavy]") {
  const Overrides size = {"n=4194304"};
  const double gain =
      cycles_on_h100("with_divergence_interleaved", size) / cycles_on_h100("with_divergence_grouped", size);
  CHECK((gain >= 1.8 && gain <= 2.1));
}

TEST_CASE("Each version of the reduction is faster than the one before") {
  const Overrides size = {"n=1048576"};
  const double interleaved = cycles_on_h100("reduce_v1", size);
  const double sequential = cycles_on_h100("reduce_v2", size);
  const double shuffles = cycles_on_h100("reduce_v3", size);
  CHECK(sequential < interleaved);
  CHECK(shuffles < sequential);
}
