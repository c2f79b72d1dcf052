#include "sim/sm/residency.h"

#include <random>
#include <vector>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

TEST_CASE("free places count from the first block's start to the last one's end") {
  // Two places. The second block starts 10 cycles after the first and ends 20 before it.
  //   block 0   100 ------------------- 200
  //   block 1       110 --------- 180
  Residency residency(2);
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
  Residency residency(3);
  residency.block_starts(10);
  residency.block_ends(20);
  residency.block_starts(50);
  residency.block_ends(55);
  CHECK(residency.active_cycles() == 15);
  CHECK(residency.free_before_tail() == 2 * 15);
  CHECK(residency.free_in_tail() == 0);
}

TEST_CASE("the tail may begin in the middle of a stretch") {
  Residency residency(4);
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
    Residency residency(places);
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

}  // namespace
}  // namespace heddle::sim
