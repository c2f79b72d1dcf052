#include "tests/examples/cross_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "sim/sm/warp_scheduler.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"
#include "tools/launch/check.h"

namespace heddle::examples {

namespace {

constexpr std::string_view kDivergences[] = {"stack", "barrier"};

/// What makes an example small enough to be run a hundred times; odd sizes, so that the last warps are
/// partial.
Overrides small_size(std::string_view name) {
  static const std::map<std::string_view, Overrides> kSizes = {
      {"bfs_step", {"n=1024"}},
      {"black_scholes", {"n=5001"}},
      {"grid_barrier", {"blocks=3", "block=40"}},
      {"hgemm", {"m=128", "n=256", "k=96"}},
      {"hgemm_async", {"m=256", "n=128", "k=160"}},
      {"hgemm_warpgroup", {"m=256", "n=192", "k=192"}},
      {"histogram_global", {"n=3001", "block=96", "blocks=5"}},
      {"histogram_shared", {"n=3001", "block=96", "blocks=5"}},
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
      {"switch_paths", {"paths=11", "blocks=3", "block=50"}},
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
      {"reduce_last_block", {"n=3001", "block=96"}},
      {"reduce_v1", {"n=8000"}},
      {"reduce_v2", {"n=8000"}},
      {"reduce_v3", {"n=8000"}},
      {"shared_stride", {"blocks=3", "iterations=5", "stride=6"}},
      {"spin_lock", {"blocks=3", "block=9"}},
      {"sqrt_branch", {"n=5001"}},
      {"sqrt_select", {"n=5001"}},
      {"strided_copy", {"n=5001", "stride=3"}},
      {"try_lock", {"blocks=2", "block=37"}},
      {"vecadd", {"n=5001"}},
      {"with_divergence_grouped", {"n=4100"}},
      {"with_divergence_interleaved", {"n=4100"}},
  };
  const auto found = kSizes.find(name);
  return found == kSizes.end() ? Overrides{} : found->second;
}

struct Outcome {
  sim::RunResult result;
  bool as_expected = false;  ///< The buffer holds what the reference computes.
  bool checks_hold = false;  ///< The launch file's own checks say so, too.
};

Outcome run(const Reference& reference, const sim::GpuSpec& spec, bool visit_every_cycle) {
  launch::LaunchFile file = load_small_example(reference.launch);
  const std::vector<std::byte> expected = reference.expected(file);
  Outcome outcome;
  outcome.result = run_example(file, spec, test::mode(visit_every_cycle));
  const std::span<const std::byte> found = file.memory.find(std::string(reference.buffer))->bytes();
  outcome.as_expected = std::ranges::equal(found, expected);
  outcome.checks_hold = launch::run_checks(file).empty();
  return outcome;
}

sim::GpuSpec gpu_of(const Combination& combination, const char* more = nullptr) {
  Overrides settings = {fmt::format("sm.scheduler={}", combination.policy),
                        fmt::format("sm.divergence={}", combination.divergence)};
  if (more != nullptr) settings.emplace_back(more);
  return sim::load_gpu(combination.gpu, settings);
}

void check_deadlock(const Combination& combination) {
  try {
    run(combination.reference, gpu_of(combination), false);
    FAIL_CHECK("no deadlock");
  } catch (const stream::KernelFault& fault) {
    CHECK(std::string(fault.what()).find(": deadlock: these lanes have gone round") != std::string::npos);
  }
}

/// A GPU without the kernel's instructions, or too small for a block, says so.
void check_refused(const Combination& combination) {
  CHECK(combination.reference.launch.starts_with("hgemm"));
  CHECK_THROWS_AS(run(combination.reference, gpu_of(combination), false), InputError);
}

}  // namespace

launch::LaunchFile load_small_example(std::string_view name) {
  return load_example(std::string(name), small_size(name));
}

std::vector<Combination> cross_product() {
  std::vector<Combination> all;
  for (const std::string& gpu : sim::available_gpus()) {
    for (const Reference& reference : references()) {
      for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
        for (const std::string_view divergence : kDivergences)
          all.push_back({reference, gpu, policy.name, divergence});
      }
    }
  }
  return all;
}

std::vector<Combination> sample_product(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<Combination> all = cross_product();
  const std::size_t each = sim::scheduler_policies().size() * std::size(kDivergences);
  const std::size_t examples = references().size();
  std::vector<Combination> sample;
  for (std::size_t pair = 0; pair < all.size() / each; ++pair) {
    const Combination& drawn = all[pair * each + random() % each];
    if ((pair / examples + pair % examples) % 3 == 0) sample.push_back(drawn);
  }
  return sample;
}

void check_combination(const Combination& combination) {
  const Reference& reference = combination.reference;
  INFO(reference.launch << " on " << combination.gpu << " by " << combination.policy << ", divergence "
                        << combination.divergence);
  if (reference.deadlocks_on_stack && combination.divergence == "stack") return check_deadlock(combination);
  const sim::GpuSpec whole = gpu_of(combination);
  launch::LaunchFile file = load_small_example(reference.launch);
  if (!runs_on(file, whole)) return check_refused(combination);
  const Outcome outcome = run(reference, whole, false);
  CHECK(outcome.as_expected);
  CHECK(outcome.checks_hold);
  CHECK(test::broken_laws(outcome.result, whole) == std::vector<std::string>{});
  const sim::GpuSpec two_sms = gpu_of(combination, "sms=2");
  const sim::RunResult jumped = run(reference, two_sms, false).result;
  CHECK(test::differences(jumped, run(reference, two_sms, false).result) == std::vector<std::string>{});
  CHECK(test::differences(jumped, run(reference, two_sms, true).result) == std::vector<std::string>{});
}

}  // namespace heddle::examples
