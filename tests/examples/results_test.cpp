// Every example on every GPU by every policy: the results are those of the CPU reference, the books balance,
// jumping over cycles changes nothing, and the same run is the same run.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "sim/config/load.h"
#include "sim/sm/warp_scheduler.h"
#include "tests/examples/example_runs.h"
#include "tests/examples/references.h"
#include "tests/support/catch.h"
#include "tools/launch/check.h"

namespace heddle::examples {
namespace {

/// What makes an example small enough to be run a hundred times; odd sizes, so that the last warps are
/// partial.
std::vector<std::string> small_size(std::string_view name) {
  static const std::map<std::string_view, std::vector<std::string>> kSizes = {
      {"black_scholes", {"n=5001"}},
      {"kernel_a", {"n=5001"}},
      {"kernel_b", {"n=5001"}},
      {"mandelbrot", {"width=45", "height=37", "limit=40"}},
      {"matmul_v1", {"n=41"}},
      {"matmul_v2", {"n=41"}},
      {"matmul_v3", {"n=41"}},
      {"nbody", {"n=150"}},
      {"saxpy", {"n=5001"}},
      {"scan_exclusive", {"blocks=5", "block=64"}},
      {"spmv_csr", {"rows=1000"}},
      {"stencil_2d", {"width=75", "height=45"}},
      {"transpose_naive", {"width=70", "height=45"}},
      {"transpose_padded", {"width=70", "height=45"}},
      {"transpose_tiled", {"width=70", "height=45"}},
      {"ffma_ilp1", {"blocks=9", "iterations=3"}},
      {"ffma_ilp2", {"blocks=9", "iterations=3"}},
      {"ffma_ilp4", {"blocks=9", "iterations=3"}},
      {"latency", {"warps=7"}},
      {"loop_select_grouped", {"n=4100"}},
      {"loop_select_interleaved", {"n=4100"}},
      {"no_divergence", {"n=4100"}},
      {"pointer_chase", {"hops=600", "footprint=32768"}},
      {"reduce_v1", {"n=8000"}},
      {"reduce_v2", {"n=8000"}},
      {"reduce_v3", {"n=8000"}},
      {"shared_stride", {"blocks=3", "iterations=5", "stride=6"}},
      {"sqrt_branch", {"n=5001"}},
      {"sqrt_select", {"n=5001"}},
      {"strided_copy", {"n=5001", "stride=3"}},
      {"vecadd", {"n=5001"}},
      {"with_divergence_grouped", {"n=4100"}},
      {"with_divergence_interleaved", {"n=4100"}},
  };
  const auto found = kSizes.find(name);
  return found == kSizes.end() ? std::vector<std::string>{} : found->second;
}

struct Outcome {
  sim::RunResult result;
  bool as_expected = false;  ///< The buffer holds what the reference computes.
  bool checks_hold = false;  ///< The launch file's own checks say so, too.
};

Outcome run_reference(const Reference& reference, const sim::GpuSpec& spec, bool visit_every_cycle) {
  launch::LaunchFile file = load_example(std::string(reference.launch), small_size(reference.launch));
  const std::vector<std::byte> expected = reference.expected(file);
  Outcome outcome;
  outcome.result = run_example(file, spec, test::mode(visit_every_cycle));
  const std::span<const std::byte> found = file.memory.find(std::string(reference.buffer))->bytes();
  outcome.as_expected = std::ranges::equal(found, expected);
  outcome.checks_hold = launch::run_checks(file).empty();
  return outcome;
}

void check_everywhere(const Reference& reference, const std::string& gpu) {
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"sm.scheduler=" + std::string(policy.name)});
    INFO(reference.launch << " on " << gpu << " by " << policy.name);
    const Outcome outcome = run_reference(reference, spec, false);
    CHECK(outcome.as_expected);
    CHECK(outcome.checks_hold);
    CHECK(test::broken_laws(outcome.result, spec) == std::vector<std::string>{});
    if (&policy != &sim::scheduler_policies().front()) continue;
    CHECK(test::differences(outcome.result, run_reference(reference, spec, false).result) ==
          std::vector<std::string>{});
  }
}

TEST_CASE("every example computes what its CPU reference does, on every GPU, and the books balance") {
  for (const std::string& gpu : sim::available_gpus()) {
    for (const Reference& reference : references()) check_everywhere(reference, gpu);
  }
}

TEST_CASE("every example takes the same cycles when every cycle is visited") {
  for (const std::string& gpu : sim::available_gpus()) {
    for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
      const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=2", "sm.scheduler=" + std::string(policy.name)});
      for (const Reference& reference : references()) {
        INFO(reference.launch << " on " << gpu << " by " << policy.name);
        CHECK(test::differences(run_reference(reference, spec, false).result,
                                run_reference(reference, spec, true).result) == std::vector<std::string>{});
      }
    }
  }
}

TEST_CASE("every launch file of traces/ has a reference") {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HEDDLE_SOURCE_DIR) + "/traces")) {
    if (entry.path().extension() == ".yaml") files.insert(entry.path().stem());
  }
  std::set<std::string> with_reference;
  for (const Reference& reference : references()) with_reference.insert(std::string(reference.launch));
  CHECK(files == with_reference);
}

}  // namespace
}  // namespace heddle::examples
