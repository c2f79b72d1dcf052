#include "sim/sm/resident_blocks.h"

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

using Slots = std::vector<WarpSlot>;

TEST_CASE("A block gets the lowest warp slots that are free") {
  ResidentBlocks blocks(8);
  const std::uint32_t a = blocks.start(10, 3, 0);
  const std::uint32_t b = blocks.start(11, 2, 3);
  CHECK(blocks[a].slots == Slots{0, 1, 2});
  CHECK(blocks[b].slots == Slots{3, 4});
  blocks.end(a);
  CHECK_FALSE(blocks.hold(2));
  CHECK(blocks.hold(3));
  const std::uint32_t c = blocks.start(12, 4, 5);
  CHECK(blocks[c].slots == Slots{0, 1, 2, 5});
  CHECK(blocks[b].slots == Slots{3, 4});
  CHECK(blocks.all().size() == 2);
}

TEST_CASE("A block finds nothing of the one before it") {
  ResidentBlocks blocks(4);
  const std::uint32_t first = blocks.start(1, 2, 0);
  blocks[first].finish_times = 100;
  blocks[first].live_warps = 0;
  blocks.end(first);
  const ResidentBlock& second = blocks[blocks.start(2, 4, 7)];
  CHECK(second.id == 2);
  CHECK(second.serial == 7);
  CHECK(second.finish_times == 0);
  CHECK(second.live_warps == 4);
  CHECK(second.resident_warps == 4);
}

}  // namespace
}  // namespace heddle::sim
