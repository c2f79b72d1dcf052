// Examples on GPUs: the results are those of the CPU reference, the books balance, jumping over
// cycles changes nothing, and the same run is the same run.
#include <filesystem>
#include <set>

#include "sim/config/load.h"
#include "tests/examples/cross_product.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

constexpr std::uint64_t kSeed = 0x4eDD1e;

TEST_CASE("every example holds on every third GPU under a drawn policy and mechanism") {
  INFO("seed " << kSeed);
  for (const Combination& combination : sample_product(kSeed)) check_combination(combination);
}

// Minutes: ctest --preset heavy.
TEST_CASE("every example holds on every GPU under every policy and mechanism", "[.heavy]") {
  for (const Combination& combination : cross_product()) check_combination(combination);
}

TEST_CASE("kernels whose lanes wait for no other lanes take the same cycles under both mechanisms") {
  for (const char* gpu : {"tiny", "v100", "h100"}) {
    const sim::GpuSpec stack = sim::load_gpu(gpu, {"sms=4", "sm.divergence=stack"});
    const sim::GpuSpec barriers = sim::load_gpu(gpu, {"sms=4", "sm.divergence=barrier"});
    for (const Reference& reference : references()) {
      if (reference.launch == "spin_lock" || reference.launch == "try_lock") continue;
      INFO(reference.launch << " on " << gpu);
      launch::LaunchFile one = load_small_example(reference.launch);
      launch::LaunchFile other = load_small_example(reference.launch);
      if (!runs_on(one, stack)) continue;
      CHECK(test::differences(run_example(one, stack), run_example(other, barriers)) == std::vector<std::string>{});
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
