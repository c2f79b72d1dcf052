// What one SM counts in a run. Sums over SMs and ratios are made from it afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ledger/ledgers.h"
#include "sim/memory/memory_counters.h"

namespace heddle::sim {

/// The counters of one SM for one grid, and the three ledgers.
struct SmCounters {
  // The plain counters, see sm_counters.def.
#define HEDDLE_SM_COUNTER(name, summary) std::uint64_t name = 0;
#include "sim/ledger/sm_counters.def"
#undef HEDDLE_SM_COUNTER
  Ledger<WarpSlotPart> warp_slots;
  IssueSlots issue_slots;
  Ledger<LaneSlotPart> lane_slots;
  StallCounts stalls;                    ///< Warp-cycles by reason; with warp_instructions they sum to
                                         ///< resident_warp_cycles.
  std::vector<std::uint64_t> pipe_busy;  ///< Cycles x sub-partitions each pipe was busy, in the order of the spec.
  MemoryCounters memory;

  SmCounters& operator+=(const SmCounters& other);
  friend bool operator==(const SmCounters&, const SmCounters&) = default;
};

}  // namespace heddle::sim
