#include <set>
#include <string>

#include "sim/ledger/ledgers.h"
#include "sim/ledger/sm_counters.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

template <typename Part>
Ledger<Part> numbered(std::uint64_t first) {
  Ledger<Part> ledger;
  for (std::size_t i = 0; i < Ledger<Part>::kParts; ++i) ledger[static_cast<Part>(i)] = first + i;
  return ledger;
}

template <typename Part>
void check_sums() {
  const std::uint64_t parts = Ledger<Part>::kParts;
  CHECK(Ledger<Part>().sum() == 0);
  Ledger<Part> ledger = numbered<Part>(1);
  CHECK(ledger.sum() == parts * (parts + 1) / 2);
  ledger += numbered<Part>(10);
  CHECK(ledger.sum() == parts * (parts + 1) / 2 + 10 * parts + parts * (parts - 1) / 2);
  CHECK(ledger[static_cast<Part>(0)] == 11);
  CHECK_FALSE(ledger == numbered<Part>(1));
}

TEST_CASE("a ledger's sum is that of its parts, and ledgers add part by part") {
  check_sums<WarpSlotPart>();
  check_sums<LaneSlotPart>();
  check_sums<ir::StallReason>();
}

TEST_CASE("issue slots are issued, lost by a reason, or without a warp") {
  IssueSlots slots{.issued = 5, .no_warp = 7, .stalled = numbered<ir::StallReason>(1)};
  const std::uint64_t stalled = slots.stalled.sum();
  CHECK(slots.sum() == 12 + stalled);
  slots += slots;
  CHECK(slots.sum() == 2 * (12 + stalled));
}

template <typename Part>
void check_keys() {
  std::set<std::string> keys;
  for (std::size_t i = 0; i < Ledger<Part>::kParts; ++i) {
    const LedgerPartInfo& row = info(static_cast<Part>(i));
    CHECK(std::string(row.key).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
    CHECK(std::string(row.summary) != "");
    keys.insert(row.key);
  }
  CHECK(keys.size() == Ledger<Part>::kParts);
}

TEST_CASE("every part of a ledger has a key of its own and words for a person") {
  check_keys<WarpSlotPart>();
  check_keys<LaneSlotPart>();
}

TEST_CASE("the counters of SMs add field by field") {
  SmCounters one;
  one.active_cycles = 1;
  one.warp_instructions = 2;
  one.thread_instructions = 3;
  one.active_lanes = 4;
  one.branches = 5;
  one.divergent_branches = 6;
  one.blocks = 7;
  one.resident_warp_cycles = 8;
  one.eligible_warp_cycles = 9;
  one.warp_slots = numbered<WarpSlotPart>(10);
  one.issue_slots.issued = 20;
  one.lane_slots = numbered<LaneSlotPart>(30);
  one.stalls = numbered<ir::StallReason>(40);
  one.pipe_busy = {50, 51};
  one.memory.global_load_sectors = 60;
  one.memory.dram_write_bytes = 61;

  SmCounters sum;
  sum += one;
  CHECK(sum == one);
  sum += one;
  CHECK(sum.active_cycles == 2);
  CHECK(sum.warp_instructions == 4);
  CHECK(sum.thread_instructions == 6);
  CHECK(sum.active_lanes == 8);
  CHECK(sum.branches == 10);
  CHECK(sum.divergent_branches == 12);
  CHECK(sum.blocks == 14);
  CHECK(sum.resident_warp_cycles == 16);
  CHECK(sum.eligible_warp_cycles == 18);
  CHECK(sum.warp_slots.sum() == 2 * one.warp_slots.sum());
  CHECK(sum.issue_slots.sum() == 40);
  CHECK(sum.lane_slots.sum() == 2 * one.lane_slots.sum());
  CHECK(sum.stalls.sum() == 2 * one.stalls.sum());
  CHECK(sum.pipe_busy == std::vector<std::uint64_t>{100, 102});
  CHECK(sum.memory.global_load_sectors == 120);
  CHECK(sum.memory.dram_write_bytes == 122);
}

}  // namespace
}  // namespace heddle::sim
