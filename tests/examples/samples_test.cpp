// Every example on some of the SMs: right results, balanced books, the same bytes on any number of threads,
// and cycles near those of the whole GPU.
#include <fmt/format.h>

#include <map>
#include <set>

#include "isa/cfg/polling.h"
#include "isa/exec/functional.h"
#include "sim/config/load.h"
#include "sim/device/sample.h"
#include "tests/examples/cross_product.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"
#include "tools/launch/check.h"

namespace heddle::examples {
namespace {

/// Blocks that wait for blocks: no sample of these.
const std::set<std::string_view> kTogether = {"grid_barrier", "spin_lock", "try_lock"};

struct Outcome {
  sim::RunResult result;
  std::vector<std::byte> bytes;
};

sim::RunResult run_some(launch::LaunchFile& file, const sim::GpuSpec& whole, std::uint32_t sms,
                        unsigned threads = 1) {
  exec::LiveKernel live = live_kernel(file, whole);
  const sim::SmSample sample{sms, whole.sms};
  sim::SampledKernel kernel(live, sample);
  sim::RunOptions options;
  options.threads = threads;
  return test::run_by_instruction(kernel, sim::share_of(whole, sample), options);
}

/// The sample, then the rest of the blocks for their results.
Outcome run_all_blocks(const Reference& reference, launch::LaunchFile& file, const sim::GpuSpec& whole,
                       std::uint32_t sms, unsigned threads) {
  Outcome outcome{run_some(file, whole, sms, threads), {}};
  exec::LiveKernel rest = live_kernel(file, whole);
  const sim::SmSample sample{sms, whole.sms};
  exec::run_functionally(rest, [&sample](BlockId block) { return !sample.has(block); });
  const std::span<const std::byte> bytes = file.memory.find(std::string(reference.buffer))->bytes();
  outcome.bytes.assign(bytes.begin(), bytes.end());
  return outcome;
}

TEST_CASE("only the examples whose blocks wait for blocks poll memory") {
  for (const std::string& name : launches()) {
    INFO(name);
    launch::LaunchFile file = load_small_example(name);
    CHECK(cfg::polling_accesses(file.launch.kernel).empty() == !kTogether.contains(name));
  }
}

TEST_CASE("every example that can be sampled gives right results from a sample, on any number of threads") {
  for (const char* gpu : {"h100", "v100"}) {
    const sim::GpuSpec whole = sim::load_gpu(gpu, {"sms=7"});
    for (const Reference& reference : references()) {
      launch::LaunchFile file = load_small_example(reference.launch);
      if (kTogether.contains(reference.launch) || !runs_on(file, whole)) continue;
      const std::vector<std::byte> expected = reference.expected(file);
      for (const std::uint32_t sms : {1U, 3U}) {
        INFO(reference.launch << " on " << sms << " SMs of " << gpu);
        launch::LaunchFile first = load_small_example(reference.launch);
        launch::LaunchFile again = load_small_example(reference.launch);
        const Outcome one = run_all_blocks(reference, first, whole, sms, 1);
        const Outcome many = run_all_blocks(reference, again, whole, sms, 3);
        CHECK((one.bytes == expected));
        CHECK(launch::run_checks(first).empty());
        CHECK(test::broken_laws(one.result, sim::share_of(whole, {sms, whole.sms})) ==
              std::vector<std::string>{});
        CHECK(one.result.total.blocks == sim::SmSample{sms, whole.sms}.count(file.launch.grid.count()));
        CHECK(test::differences(one.result, many.result) == std::vector<std::string>{});
        CHECK((one.bytes == many.bytes));
      }
    }
  }
}

TEST_CASE("a sample of all SMs is the run itself") {
  const sim::GpuSpec whole = sim::load_gpu("h100", {"sms=7"});
  for (const std::string& name : launches()) {
    INFO(name);
    launch::LaunchFile first = load_small_example(name);
    launch::LaunchFile again = load_small_example(name);
    sim::RunResult all = run_example(first, whole);
    sim::RunResult sampled = run_some(again, whole, whole.sms);
    CHECK(sampled.launch.blocks() == all.launch.blocks());
    sampled.launch = all.launch;  // whose grid is one row in the sample
    CHECK(test::differences(all, sampled) == std::vector<std::string>{});
  }
}

/// How far a sample of a quarter of the SMs is off where it is far off, and what it cannot know there.
const std::map<std::string_view, double> kFar = {
    {"histogram_global", 0.75},   // atomics of all SMs on few addresses,
    {"histogram_shared", 0.40},   // or in few lines
    {"reduce_last_block", 0.20},  // the block that comes last, and what it does, is not in the sample
    {"nbody", 0.10},              // all blocks read the same lines: each SM of the whole fetches 1 in 132
};

// tools/compare_samples.sh prints the table.
// What is far from an SM in the sample may be near to it in the whole, and the other way round: short kernels
// feel it.
TEST_CASE("a quarter of the SMs takes as many cycles as all of them, within 8 %, but where it cannot know") {
  const sim::GpuSpec whole = sim::load_gpu("h100");
  for (const std::string& name : launches()) {
    if (kTogether.contains(name)) continue;
    launch::LaunchFile first = load_example(name);
    launch::LaunchFile again = load_example(name);
    const auto all = static_cast<double>(run_example(first, whole).cycles);
    const auto some = static_cast<double>(run_some(again, whole, whole.sms / 4).cycles);
    const auto far = kFar.find(name);
    INFO(fmt::format("{}: {} cycles, in the sample {}", name, all, some));
    CHECK(std::abs(some / all - 1) <= (far == kFar.end() ? 0.08 : far->second));
  }
}

}  // namespace
}  // namespace heddle::examples
