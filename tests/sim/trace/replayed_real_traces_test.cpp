// Traces captured on NVIDIA GPUs by others, which are not part of this project: where they are not there,
// there is nothing to test.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

#include "sim/config/load.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tests/support/both_modes.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

/// Beside the source tree, or where HEDDLE_REAL_TRACES says.
fs::path folder() {
  if (const char* named = std::getenv("HEDDLE_REAL_TRACES")) return named;
  return fs::path(HEDDLE_SOURCE_DIR).parent_path() / "shared" / "real-traces";
}

std::vector<fs::path> traces_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  if (!fs::exists(folder)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".xz") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The first numbers that a script counts.
template <std::size_t kCounts>
std::array<std::uint64_t, kCounts> counts_of(const char* script, const fs::path& trace) {
  const std::string command =
      fmt::format("python3 '{}/tests/sim/trace/{}' '{}'", HEDDLE_SOURCE_DIR, script, trace.string());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<std::uint64_t, kCounts> counts{};
  char line[256] = {};
  if (pipe && std::fgets(line, sizeof line, pipe.get()) != nullptr) {
    std::istringstream text(line);
    for (std::uint64_t& count : counts) text >> count;
  }
  return counts;
}

sim::RunResult replay(const fs::path& path, const sim::GpuSpec& spec) {
  trace::ReplayKernel kernel(trace::open_trace(path.string()));
  return test::run_by_instruction(kernel, spec);
}

TEST_CASE("traces of real GPUs replay whole, with the instructions and lanes that a script counts") {
  const std::vector<fs::path> paths = traces_of(folder());
  if (paths.empty()) WARN("no real traces in " << folder());
  for (const char* gpu : {"a100", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    for (const fs::path& path : paths) {
      INFO(path.string() << " on " << gpu);
      const auto [blocks, warps, instructions, lanes] = counts_of<4>("count_trace.py", path);
      const sim::RunResult result = replay(path, spec);
      CHECK(result.total.warp_instructions == instructions);
      CHECK(result.total.thread_instructions == lanes);
      CHECK(result.total.blocks == blocks);
      CHECK(broken_laws(result, spec) == std::vector<std::string>{});
      CHECK(instructions > warps);
    }
  }
}

TEST_CASE(
    "lanes part at the branches of real traces at which a script that follows each lane sees them part") {
  const sim::GpuSpec spec = sim::load_gpu("a100");
  std::uint64_t all = 0;
  for (const fs::path& path : traces_of(folder())) {
    INFO(path.string());
    const auto [branches, divergent] = counts_of<2>("count_branches.py", path);
    const sim::RunResult result = replay(path, spec);
    CHECK(result.total.branches == branches);
    CHECK(result.total.divergent_branches == divergent);
    all += divergent;
  }
  CHECK((all > 1000 || traces_of(folder()).empty()));
}

TEST_CASE("an iteration of the FFMA loop traced on an H100 takes what it took there") {
  // Measured on an H100 PCIe: 9576, 14781 and 20028 cycles for 10, 20 and 30 iterations.
  const sim::GpuSpec spec = sim::load_gpu("h100");
  std::vector<Cycle> cycles;
  for (const char* iterations : {"10", "20", "30"}) {
    for (const fs::path& path : traces_of(folder() / fmt::format("ffma-h100-{}", iterations))) {
      cycles.push_back(replay(path, spec).cycles);
    }
  }
  if (cycles.empty()) return;
  REQUIRE(cycles.size() == 3);
  // In the model: 128 dependent FFMAs, of which the first waits for a MOV that waits for the branch: 127 x 4
  // to the last FFMA, 1 to the branch, 11 to its target, 5 from MOV to FFMA, of another unit.
  CHECK((cycles[2] - cycles[1]) / 10 == 127 * 4 + 1 + 11 + 5);
  const double measured = (20028 - 14781) / 10.0;
  CHECK(std::abs(static_cast<double>(cycles[2] - cycles[1]) / 10 - measured) <= 3);
  CHECK(std::abs(static_cast<double>(cycles[1] - cycles[0]) / 10 - 526) <= 3);
}

}  // namespace
}  // namespace heddle::test
