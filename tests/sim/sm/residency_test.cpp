#include "sim/sm/residency.h"

#include <random>
#include <vector>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

/// A grid of blocks of so many warps.
Grid grid_of(std::uint32_t warps, std::uint32_t blocks_per_sm, std::uint32_t places, GridSlot slot = 0) {
  Grid grid;
  grid.slot = slot;
  grid.shape.block = {32 * warps, 1, 1};
  grid.blocks_per_sm = blocks_per_sm;
  grid.places = places;
  return grid;
}

/// An SM with places for so many blocks of one warp, all of one grid.
class OneGrid {
 public:
  explicit OneGrid(std::uint32_t places) : grid_(grid_of(1, places, places)), residency_(places) {
    residency_.add(grid_);
  }
  void block_starts(Cycle now) { residency_.block_starts(0, now); }
  void block_ends(Cycle now) { residency_.block_ends(0, now); }
  void set_tail(Cycle from) { residency_.set_tail(0, from); }
  [[nodiscard]] std::uint32_t blocks() const { return residency_.blocks(); }
  [[nodiscard]] Cycle active_cycles() const { return residency_.share(0).active_cycles; }
  [[nodiscard]] std::uint64_t free_before_tail() const { return residency_.share(0).launch_ramp; }
  [[nodiscard]] std::uint64_t free_in_tail() const { return residency_.share(0).tail; }

 private:
  Grid grid_;
  Residency residency_;
};

TEST_CASE("free places count from the first block's start to the last one's end") {
  // Two places. The second block starts 10 cycles after the first and ends 20 before it.
  //   block 0   100 ------------------- 200
  //   block 1       110 --------- 180
  OneGrid residency(2);
  residency.block_starts(100);
  residency.block_starts(110);
  residency.set_tail(110);
  residency.block_ends(180);
  residency.block_ends(200);
  CHECK(residency.blocks() == 0);
  CHECK(residency.active_cycles() == 100);
  CHECK(residency.free_before_tail() == 10);
  CHECK(residency.free_in_tail() == 20);
}

TEST_CASE("cycles without a block are no active ones, and nothing is free in them") {
  OneGrid residency(3);
  residency.block_starts(10);
  residency.block_ends(20);
  residency.block_starts(50);
  residency.block_ends(55);
  CHECK(residency.active_cycles() == 15);
  CHECK(residency.free_before_tail() == 2 * 15);
  CHECK(residency.free_in_tail() == 0);
}

TEST_CASE("the tail may begin in the middle of a stretch") {
  OneGrid residency(4);
  residency.block_starts(0);
  residency.set_tail(30);
  residency.block_ends(100);
  CHECK(residency.free_before_tail() == 3 * 30);
  CHECK(residency.free_in_tail() == 3 * 70);
}

TEST_CASE("random blocks: the sums are those of counting cycle by cycle") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    constexpr Cycle kCycles = 60;
    const auto places = static_cast<std::uint32_t>(1 + random() % 4);
    std::vector<int> change(kCycles + 1);
    std::vector<std::uint32_t> held(kCycles + 1);
    for (Cycle now = 0, blocks = 0; now < kCycles; ++now) {  // starts and ends, at most one a cycle
      const auto step = static_cast<int>(random() % 7);
      if (step == 0 && blocks < places) change[now] = 1;
      if (step == 1 && blocks > 0) change[now] = -1;
      blocks += static_cast<Cycle>(change[now]);
      held[now] = static_cast<std::uint32_t>(blocks);
    }
    const Cycle tail = random() % kCycles;
    OneGrid residency(places);
    std::uint64_t active = 0, before = 0, in_tail = 0, blocks = 0;
    for (Cycle now = 0; now < kCycles; ++now) {
      if (now == tail) residency.set_tail(tail);
      if (change[now] > 0) residency.block_starts(now);
      if (change[now] < 0) residency.block_ends(now);
      blocks = held[now];
      if (blocks == 0) continue;
      ++active;
      (now < tail ? before : in_tail) += places - blocks;
    }
    for (; blocks > 0; --blocks) residency.block_ends(kCycles);
    CHECK(residency.active_cycles() == active);
    CHECK(residency.free_before_tail() == before);
    CHECK(residency.free_in_tail() == in_tail);
  }
}

TEST_CASE("what occupancy and a small grid do not allow is no free place") {
  const Grid grid = grid_of(2, 5, 3);  // of 16 slots 10 are allowed, and 6 can be reached
  Residency residency(16);
  residency.add(grid);
  residency.block_starts(0, 10);
  residency.set_tail(0, 20);
  residency.block_ends(0, 30);
  const Residency::Share& share = residency.share(0);
  CHECK(share.resource_limit == 6 * 20);
  CHECK(share.small_grid == 4 * 20);
  CHECK(share.launch_ramp == 4 * 10);
  CHECK(share.tail == 4 * 10);
}

TEST_CASE("free slots belong to the grid that came first, less what others hold") {
  const Grid first = grid_of(2, 5, 3);
  const Grid second = grid_of(4, 4, 4, 1);
  Residency residency(16);
  residency.add(first);
  residency.add(second);
  residency.block_starts(0, 0);
  residency.block_starts(1, 10);  // 4 of the 6 that the first could not have
  residency.block_starts(1, 20);  // 2 more of these, then 2 of those for which it has no blocks
  residency.block_ends(0, 30);    // from here on the second is the first
  residency.block_ends(1, 40);
  residency.block_ends(1, 50);
  const Residency::Share& a = residency.share(0);
  CHECK(a.resource_limit == 6 * 10 + 2 * 10);
  CHECK(a.small_grid == 4 * 10 + 4 * 10 + 2 * 10);
  CHECK(a.launch_ramp == 4 * 30);
  CHECK(a.active_cycles == 30);
  const Residency::Share& b = residency.share(1);
  CHECK(b.resource_limit == 0);
  CHECK(b.launch_ramp == 8 * 10 + 12 * 10);
  CHECK(b.active_cycles == 40);
  CHECK(residency.active_cycles(50) == 50);
  // Whoever it belongs to, each slot is there once.
  const std::uint64_t held = 2 * 30 + 4 * 30 + 4 * 30;
  CHECK(a.resource_limit + a.small_grid + a.launch_ramp + a.tail + b.launch_ramp + b.tail + held == 16 * 50);
}

}  // namespace
}  // namespace heddle::sim
