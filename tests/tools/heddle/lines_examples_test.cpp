// The ledger by line of every example: each counter of the run belongs to one line.
#include <algorithm>
#include <filesystem>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"
#include "tools/cuda/compiler.h"
#include "tools/heddle/run/line_request.h"

namespace heddle::command {
namespace {

void check_sums(const report::LineProfile& profile, const sim::RunResult& result) {
  sim::PcCounters sum;
  sim::Cost cost;
  for (const sim::LineFigures& line : profile.lines) {
    sum += line.counters;
    cost += line.cost;
  }
  CHECK(sum.issued == result.total.warp_instructions);
  CHECK(sum.branches == result.total.branches);
  CHECK(sum.divergent_branches == result.total.divergent_branches);
  CHECK(sum.stalls == result.total.stalls);
  CHECK(cost.slots == result.total.issue_slots.stalled);
  CHECK(sum.lost_slots == result.total.issue_slots.stalled);
  CHECK(sum.lane_slots == result.total.lane_slots);
  CHECK(cost.lanes == sum.lane_slots.sum() - sum.lane_slots[sim::LaneSlotPart::Executed] -
                          sum.lane_slots[sim::LaneSlotPart::NeverExisted]);
  CHECK(cost.chained <= cost.slots.sum());
  CHECK(cost.parted <= cost.lanes);
  sim::MemoryCounters memory = result.total.memory;
  memory.dram_late_bytes = 0;  // moved after the end, for whomever
  CHECK(sum.memory == memory);
}

std::vector<std::filesystem::path> launch_files() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HEDDLE_SOURCE_DIR) + "/traces")) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  return paths;
}

/// Runs every example that has CUDA C++, as far as the compiler takes it, and checks the sums at each level.
/// Returns how many have run.
unsigned check_cuda(const char* compiler) {
  const sim::GpuSpec spec = sim::load_gpu("h100", {});
  unsigned count = 0;
  for (const std::filesystem::path& path : launch_files()) {
    const std::string name = path.stem();
    INFO(name << " by " << compiler);
    launch::LaunchOverrides overrides = launch::for_gpu({}, spec);
    overrides.params = examples::tested_size(name);
    overrides.code = ".cu";
    overrides.cuda.compiler = compiler;
    try {
      launch::LaunchFile file = launch::load_launch(path, overrides);
      if (!examples::runs_on(file, spec)) continue;
      const sim::RunResult result = examples::run_example(file, spec);
      const launch::KernelSource source = launch::kernel_source(path, overrides);
      using report::SourceLevel;
      for (const SourceLevel level : {SourceLevel::Cuda, SourceLevel::Ptx, SourceLevel::Ir})
        check_sums(line_profile({level}, source, file.launch.kernel, result), result);
      check_sums(line_profile({SourceLevel::Cuda, true}, source, file.launch.kernel, result), result);
      ++count;
    } catch (const InputError& error) {
      WARN(name << " was left out: " << error.what());
    }
  }
  return count;
}

bool has_compiler(const char* compiler) {
  try {
    cuda::find_compiler(compiler);
    return true;
  } catch (const InputError&) {
    WARN("skipped: there is no " << compiler);
    return false;
  }
}

TEST_CASE("The counters of an example's lines add up to those of its run") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {});
  for (const std::filesystem::path& path : launch_files()) {
    const std::string name = path.stem();
    INFO(name);
    launch::LaunchFile file = examples::load_example(name);
    if (!examples::runs_on(file, spec)) continue;
    const sim::RunResult result = examples::run_example(file, spec);
    const report::LineProfile profile =
        line_profile({}, launch::kernel_source(path, {}), file.launch.kernel, result);
    check_sums(profile, result);
    for (const sim::LineFigures& line : profile.lines) {
      CHECK(line.place.line != 0);
      CHECK_FALSE(profile.files.at(line.place.file).line(line.place.line).empty());
    }
  }
}

TEST_CASE("The counters of lines of CUDA C++ by clang add up for every example", "[.heavy]") {
  if (has_compiler("clang++")) CHECK(check_cuda("clang++") > 20);
}

TEST_CASE("The counters of lines of CUDA C++ by nvcc add up for every example", "[.heavy]") {
  if (has_compiler("nvcc")) CHECK(check_cuda("nvcc") > 20);
}

}  // namespace
}  // namespace heddle::command
