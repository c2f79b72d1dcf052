// SMs side by side on several threads, or one after the other: the same bytes.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/examples/cross_product.h"
#include "tests/examples/example_runs.h"
#include "tests/examples/references.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

struct Outcome {
  sim::RunResult result;
  std::vector<std::vector<std::byte>> buffers;
};

Outcome run(std::string_view name, const sim::GpuSpec& spec, unsigned threads, bool visit_every_cycle = false) {
  launch::LaunchFile file = load_small_example(name);
  sim::RunOptions options = test::mode(visit_every_cycle);
  options.threads = threads;
  Outcome outcome{run_example(file, spec, options), {}};
  for (const auto& buffer : file.memory.buffers()) {
    const std::span<const std::byte> bytes = buffer->bytes();
    outcome.buffers.emplace_back(bytes.begin(), bytes.end());
  }
  return outcome;
}

TEST_CASE("every example gives the same bytes on any number of threads, and when every cycle is visited") {
  for (const char* gpu : {"h100", "v100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=7"});
    for (const Reference& reference : references()) {
      launch::LaunchFile file = load_small_example(reference.launch);
      if (!runs_on(file, spec)) continue;
      INFO(reference.launch << " on " << gpu);
      const Outcome one = run(reference.launch, spec, 1);
      for (const unsigned threads : {2U, 5U}) {
        const Outcome many = run(reference.launch, spec, threads);
        CHECK(test::differences(one.result, many.result) == std::vector<std::string>{});
        CHECK((one.buffers == many.buffers));
      }
      const Outcome ticked = run(reference.launch, spec, 1, true);
      CHECK(test::differences(one.result, ticked.result) == std::vector<std::string>{});
      CHECK((one.buffers == ticked.buffers));
    }
  }
}

}  // namespace
}  // namespace heddle::examples
