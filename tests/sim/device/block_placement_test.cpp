// On which SM blocks start, by each policy, and that all policies run all blocks.
#include "sim/device/block_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"
#include "tests/support/sm_harness.h"

namespace heddle::sim {
namespace {

/// Blocks that start on SMs with so much room for them, none of which ends.
std::vector<SmId> chosen(std::string_view policy, std::vector<std::uint32_t> room) {
  const std::unique_ptr<BlockPlacement> placement = make_placement(policy);
  std::vector<SmId> order;
  while (std::any_of(room.begin(), room.end(), [](std::uint32_t blocks) { return blocks != 0; })) {
    order.push_back(placement->choose(room));
    REQUIRE(order.back() < room.size());
    REQUIRE(room[order.back()] != 0);
    --room[order.back()];
  }
  return order;
}

TEST_CASE("each placement fills SMs in the order that its name says") {
  CHECK(chosen("breadth_first", {2, 2, 2}) == std::vector<SmId>{0, 1, 2, 0, 1, 2});
  CHECK(chosen("depth_first", {2, 2, 2}) == std::vector<SmId>{0, 0, 1, 1, 2, 2});
  CHECK(chosen("round_robin", {2, 2, 2}) == std::vector<SmId>{0, 1, 2, 0, 1, 2});
  // SMs that do not have the same room part the first from the last.
  CHECK(chosen("breadth_first", {1, 3, 2}) == std::vector<SmId>{1, 1, 2, 0, 1, 2});
  CHECK(chosen("depth_first", {1, 3, 2}) == std::vector<SmId>{0, 1, 1, 1, 2, 2});
  CHECK(chosen("round_robin", {1, 3, 2}) == std::vector<SmId>{0, 1, 2, 1, 2, 1});
  CHECK_THROWS_AS(make_placement("best_fit"), InputError);
}

TEST_CASE("every placement takes SMs with room only, and takes all of it") {
  const std::uint64_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const PlacementPolicy& policy : placement_policies()) {
    CAPTURE(policy.name);
    for (int i = 0; i < 50; ++i) {
      std::vector<std::uint32_t> room(1 + random() % 20);
      std::size_t all = 0;
      for (std::uint32_t& each : room) all += each = static_cast<std::uint32_t>(random() % 5);
      CHECK(chosen(policy.name, room).size() == all);
    }
  }
}

// Three blocks of one warp each, of which an SM holds eight: packed on one SM they share it, else each has
// one.
TEST_CASE("a GPU runs blocks where its placement puts them") {
  const auto sms_with_blocks = [](std::string_view policy) {
    test::TextKernel kernel("MOV R0, RZ\n", {.x = 32}, {.x = 3});
    const GpuSpec spec = load_gpu("tiny", {"sms=4", fmt::format("dispatch.placement={}", policy)});
    const test::Timeline run = kernel.run(spec);
    CHECK(test::broken_laws(run.result, spec).empty());
    return std::count_if(run.result.sms.begin(), run.result.sms.end(),
                         [](const SmCounters& sm) { return sm.blocks != 0; });
  };
  CHECK(sms_with_blocks("breadth_first") == 3);
  CHECK(sms_with_blocks("round_robin") == 3);
  CHECK(sms_with_blocks("depth_first") == 1);
}

}  // namespace
}  // namespace heddle::sim
