// What one SM counts in a run. Sums over SMs and ratios are made from it afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/ledger/ledgers.h"
#include "sim/memory/memory_counters.h"

namespace heddle::sim {

struct SmCounters {
  std::uint64_t active_cycles = 0;        ///< Cycles with at least one resident block.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< Executed lanes, summed.
  std::uint64_t active_lanes = 0;         ///< Active lanes, predicated off ones too, summed.
  std::uint64_t branches = 0;
  std::uint64_t divergent_branches = 0;
  std::uint64_t blocks = 0;               ///< Blocks that ran here.
  std::uint64_t resident_warp_cycles = 0; ///< Unfinished warps, summed over cycles.
  std::uint64_t eligible_warp_cycles = 0; ///< Warps that could issue, the selected ones too, summed over cycles.
  Ledger<WarpSlotPart> warp_slots;
  IssueSlots issue_slots;
  Ledger<LaneSlotPart> lane_slots;
  StallCounts stalls;                     ///< Warp-cycles by reason; with warp_instructions they sum to
                                          ///< resident_warp_cycles.
  std::vector<std::uint64_t> pipe_busy;   ///< Cycles x sub-partitions each pipe was busy, in the order of the spec.
  MemoryCounters memory;

  SmCounters& operator+=(const SmCounters& other);
  friend bool operator==(const SmCounters&, const SmCounters&) = default;
};

}  // namespace heddle::sim
