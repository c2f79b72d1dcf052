// The rules of phases, as PTX ISA's "mbarrier" states them.
#include "sim/sm/mbarriers.h"

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

Mbarrier counted(std::uint32_t expected) {
  Mbarrier barrier;
  barrier.init(expected);
  return barrier;
}

TEST_CASE("a phase is over with the last arrival that is expected, and the next one begins") {
  Mbarrier barrier = counted(3);
  barrier.arrive(1, 0, 10);
  barrier.arrive(1, 0, 20);
  CHECK(barrier.phases() == 0);
  barrier.arrive(1, 0, 30);
  CHECK(barrier.phases() == 1);
  CHECK(barrier.over_at(1) == 30);
  barrier.arrive(2, 0, 40);
  CHECK(barrier.phases() == 1);
  barrier.arrive(1, 0, 50);
  CHECK(barrier.phases() == 2);
  CHECK(barrier.over_at(2) == 50);
  CHECK(barrier.over_at(1) == 30);
  CHECK(barrier.over_at(0) == 0);
}

TEST_CASE("the ends of the last phases are known, those of older ones not too early") {
  Mbarrier barrier = counted(1);
  for (Cycle phase = 1; phase <= 100; ++phase) barrier.arrive(1, 0, 10 * phase);
  for (std::uint64_t phase = 90; phase <= 100; ++phase) CHECK(barrier.over_at(phase) == 10 * phase);
  for (std::uint64_t phase = 1; phase < 90; ++phase) {
    CHECK(barrier.over_at(phase) >= 10 * phase);
    CHECK(barrier.over_at(phase) <= 900);
  }
}

TEST_CASE("a phase waits for the bytes that are announced, in whatever order they come") {
  Mbarrier barrier = counted(1);
  barrier.arrive(1, 256, 5);
  barrier.receive(128, 0, 100);
  CHECK(barrier.phases() == 0);
  barrier.receive(128, 0, 90);
  CHECK(barrier.phases() == 1);
  CHECK(barrier.over_at(1) == 100);  // the last in time, whichever was told last

  barrier.receive(64, 0, 200);  // before they are announced
  CHECK(barrier.phases() == 1);
  barrier.arrive(1, 64, 210);
  CHECK(barrier.phases() == 2);
  CHECK(barrier.over_at(2) == 210);
}

TEST_CASE("announcing bytes alone ends no phase while arrivals are pending") {
  Mbarrier barrier = counted(2);
  barrier.arrive(0, 32, 1);
  barrier.receive(32, 0, 2);
  CHECK(barrier.phases() == 0);
  barrier.arrive(2, 0, 3);
  CHECK(barrier.phases() == 1);
}

TEST_CASE("a wait names the parity of a phase: the one under way, or the one before") {
  Mbarrier barrier = counted(1);
  CHECK(barrier.phases_after(false) == 1);  // phase 0 is under way
  CHECK(barrier.phases_after(true) == 0);   // the one before counts as over, as on a GPU
  barrier.arrive(1, 0, 10);
  CHECK(barrier.phases_after(false) == 1);
  CHECK(barrier.phases_after(true) == 2);
  barrier.arrive(1, 0, 20);
  CHECK(barrier.phases_after(false) == 3);
}

TEST_CASE("an mbarrier that is set up again is as new") {
  Mbarrier barrier = counted(1);
  barrier.arrive(1, 64, 10);
  barrier.init(2);
  CHECK(barrier.phases() == 0);
  barrier.arrive(2, 0, 20);
  CHECK(barrier.phases() == 1);
}

TEST_CASE("more arrivals than are expected end one phase") {
  Mbarrier barrier = counted(2);
  barrier.arrive(5, 0, 10);
  CHECK(barrier.phases() == 1);
  barrier.arrive(1, 0, 20);
  CHECK(barrier.phases() == 1);
}

TEST_CASE("without a count, each so many copies make a phase, and arrivals nothing") {
  Mbarrier barrier;
  CHECK_FALSE(barrier.is_counted());
  barrier.arrive(1, 64, 5);
  CHECK(barrier.phases() == 0);
  barrier.receive(64, 2, 10);
  CHECK(barrier.phases() == 0);
  barrier.receive(64, 2, 20);
  CHECK(barrier.phases() == 1);
  CHECK(barrier.over_at(1) == 20);
}

TEST_CASE("phases that are forced to an end leave nothing behind") {
  Mbarrier barrier = counted(2);
  barrier.arrive(1, 1000, 10);
  barrier.force(1, 30);
  CHECK(barrier.phases() == 1);
  CHECK(barrier.over_at(1) == 30);
  barrier.arrive(1, 0, 40);
  CHECK(barrier.phases() == 1);
  barrier.arrive(1, 0, 50);
  CHECK(barrier.phases() == 2);
}

TEST_CASE("a cluster's barrier is over when all warps that live have come") {
  ClusterBarrier barrier;
  barrier.arrive(4, 3, 10);
  barrier.arrive(4, 3, 11);  // once is enough
  CHECK(barrier.phases() == 0);
  CHECK(barrier.phases_after(4) == 1);
  CHECK(barrier.phases_after(7) == 0);
  barrier.arrive(7, 3, 20);
  barrier.leave(9, 2, 30);  // the third exits
  CHECK(barrier.phases() == 1);
  CHECK(barrier.over_at() == 30);
  barrier.leave(4, 1, 40);
  CHECK(barrier.phases() == 1);
}

}  // namespace
}  // namespace heddle::sim
