// The history of a run: sums are kept whatever the width of the buckets, and what is left out is left out
// evenly.
#include "tools/history/history_recorder.h"

#include <set>

#include "tests/support/catch.h"

namespace heddle::test {

namespace {

using history::HistoryRecorder;
using history::Moment;
using history::RunHistory;
using history::Slice;

Moment sum_of(const RunHistory& history) {
  Moment sum;
  for (const Moment& moment : history.gpu) sum += moment;
  return sum;
}

sim::WarpIssued issue(Cycle cycle, SmId sm = 0, WarpSlot slot = 0) {
  return {cycle, sm, slot, 5, slot, 9, 0xff, 0xf, 0x3};
}

sim::WarpStalled stall(Cycle from, Cycle until, WarpSlot slot = 0) {
  return {until, from, until, 0, slot, 5, slot, ir::StallReason::Barrier, 9};
}

}  // namespace

TEST_CASE("Buckets of a history widen until they are few enough, and keep their sums") {
  for (const Cycle end : {Cycle{1}, Cycle{1024}, Cycle{1025}, Cycle{1'000'003}}) {
    INFO(end);
    HistoryRecorder recorder(2);
    recorder.block_started({0, 1, 5, 3});
    std::uint64_t issues = 0;
    for (Cycle cycle = 0; cycle < end; cycle += 1 + end / 3000, ++issues) {
      recorder.warp_issued(issue(cycle, 1));
      recorder.memory_served(
          {cycle, 1, 0, 9, 0, 0b101, sim::MemoryServed::Kind::Load, sim::MemoryLevel::Dram, cycle + 1});
    }
    recorder.block_ended({end, 1, 5});
    const RunHistory history = recorder.take(end);
    const Moment sum = sum_of(history);
    CHECK(history.gpu.size() <= history::kMostBuckets);
    CHECK(history.gpu.size() * history.bucket >= end);
    CHECK((history.bucket == 1 || history.gpu.size() > history::kMostBuckets / 2));
    CHECK(sum.issued == issues);
    CHECK(sum.active_lanes == 4 * issues);
    CHECK(sum.l2_load_sectors == 2 * issues);
    CHECK(sum.dram_sectors == 2 * issues);
    CHECK(sum.resident_cycles == 3 * end);
    CHECK(sum.sm_cycles == end);
    CHECK(history.slices.empty());  // another SM is watched
  }
}

TEST_CASE("A history knows from when to when each warp was in its slot of the watched SM") {
  HistoryRecorder recorder(1);
  recorder.block_started({10, 0, 5, 2});
  recorder.warp_issued(issue(12, 0, 3));
  recorder.warp_stalled(stall(10, 15, 1));
  recorder.block_ended({20, 0, 5});
  const RunHistory history = recorder.take(30);
  REQUIRE(history.stays.size() == 2);
  CHECK(history.stays[0].slot == 1);
  CHECK(history.stays[1].slot == 3);
  for (const history::Stay& stay : history.stays) {
    CHECK(stay.from == 10);
    CHECK(stay.until == 20);
  }
}

TEST_CASE("A span over several stretches is one again if none of them is left out") {
  HistoryRecorder recorder(1);
  recorder.block_started({0, 0, 5, 1});
  recorder.warp_stalled(stall(100, 5000));
  recorder.warp_issued(issue(5000));
  recorder.warp_stalled(stall(5001, 5003));
  recorder.warp_issued(issue(5003));
  const RunHistory history = recorder.take(6000);
  REQUIRE(history.slices.size() == 4);
  CHECK(history.slices[0].from == 100);
  CHECK(history.slices[0].until == 5000);
  CHECK(history.slices[2].until == 5003);
  CHECK(history.every == 1);
}

TEST_CASE("The slices of a long run are those of stretches at equal distances, no more than the limit") {
  HistoryRecorder recorder(1);
  recorder.block_started({0, 0, 5, 1});
  const Cycle end = 1'000'000;
  for (Cycle cycle = 0; cycle < end; ++cycle) recorder.warp_issued(issue(cycle));
  const RunHistory history = recorder.take(end);
  CHECK(history.slices.size() <= history::kMostSlices);
  CHECK(history.slices.size() > history::kMostSlices / 4);
  CHECK(history.every == 8);
  std::set<std::uint64_t> stretches;
  for (const Slice& slice : history.slices) stretches.insert(slice.from / history::kStretch);
  std::uint64_t expected = 0;
  for (const std::uint64_t stretch : stretches) CHECK(stretch == 8 * expected++);
  CHECK(history.slices.size() ==
        (expected - 1) * history::kStretch + std::min<Cycle>(history::kStretch, end - (expected - 1) * 8192));
}

}  // namespace heddle::test
