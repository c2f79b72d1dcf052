// The three reductions: who still adds in which step.
#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

/// Lanes of each FADD that warp `warp` of block 0 issues, in order.
std::vector<unsigned> adding_lanes(const std::string& example, std::uint32_t warp, const char* divergence) {
  launch::LaunchFile file = load_example(example, {"n=1024"});
  std::vector<unsigned> lanes;
  for (const sim::WarpIssued& event : trace_example(file, sim::load_gpu("h100", {divergence})).issued) {
    const bool is_add = file.launch.kernel.instructions[event.pc].opcode == ir::Opcode::Fadd;
    if (is_add && event.block == 0 && event.warp_in_block == warp)
      lanes.push_back(lane_count(event.executed));
  }
  return lanes;
}

/// The same under both mechanisms.
std::vector<unsigned> adding_lanes(const std::string& example, std::uint32_t warp) {
  std::vector<unsigned> lanes = adding_lanes(example, warp, kMechanisms[0]);
  CHECK(adding_lanes(example, warp, kMechanisms[1]) == lanes);
  return lanes;
}

TEST_CASE("interleaved partners: half of a warp's lanes drop out in each step") {
  // s = 1, 2, ... 128 of 256 threads: tid % (2 s) == 0.
  CHECK(adding_lanes("reduce_v1", 0) == std::vector<unsigned>{16, 8, 4, 2, 1, 1, 1, 1});
  CHECK(adding_lanes("reduce_v1", 1) == std::vector<unsigned>{16, 8, 4, 2, 1});
  CHECK(adding_lanes("reduce_v1", 2) == std::vector<unsigned>{16, 8, 4, 2, 1, 1});
  CHECK(adding_lanes("reduce_v1", 4) == std::vector<unsigned>{16, 8, 4, 2, 1, 1, 1});
}

TEST_CASE("partners half the range apart: whole warps add until 32 sums are left") {
  // s = 128, 64, ... 1: tid < s.
  CHECK(adding_lanes("reduce_v2", 0) == std::vector<unsigned>{32, 32, 32, 16, 8, 4, 2, 1});
  CHECK(adding_lanes("reduce_v2", 1) == std::vector<unsigned>{32, 32});
  CHECK(adding_lanes("reduce_v2", 3) == std::vector<unsigned>{32});
  CHECK(adding_lanes("reduce_v2", 4).empty());
}

TEST_CASE("shuffles: every lane adds in every step, the first warp twice") {
  CHECK(adding_lanes("reduce_v3", 0) == std::vector<unsigned>(10, 32));
  for (const std::uint32_t warp : {1U, 7U})
    CHECK(adding_lanes("reduce_v3", warp) == std::vector<unsigned>(5, 32));
}

}  // namespace
}  // namespace heddle::examples
