// What is counted of one instruction of a kernel: the same facts as of a run, each with the pc that it
// belongs to.
//
//   issues, lanes           the pc that issued
//   stalls, lost slots      the pc that the warp waited to issue
//   sectors, passes, bytes  the pc that asked, in L2 and DRAM too
//
// All are integers. Summed over the instructions of a grid they are the grid's own counters, exactly; two
// counters have no instruction: slots without a warp, and what DRAM moves after the end of the run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/base/types.h"
#include "sim/ledger/ledgers.h"
#include "sim/memory/memory_counters.h"
#include "sim/memory/request.h"

namespace heddle::sim {

/// Cycles from the issue of warp instructions until what they loaded could be used.
struct LoadLatency {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  Cycle longest = 0;

  void add(Cycle cycles) {
    ++count;
    sum += cycles;
    longest = std::max(longest, cycles);
  }

  LoadLatency& operator+=(const LoadLatency& other) {
    count += other.count;
    sum += other.sum;
    longest = std::max(longest, other.longest);
    return *this;
  }

  friend bool operator==(const LoadLatency&, const LoadLatency&) = default;
};

/// The counters of one instruction of a grid, over all warps that came to it.
struct PcCounters {
  std::uint64_t issued = 0;              ///< Warp instructions.
  std::uint64_t partial_issues = 0;      ///< Issues that not all lanes of the warp executed.
  std::uint64_t branches = 0;            ///< As in SmCounters.
  std::uint64_t divergent_branches = 0;  ///< Likewise.
  StallCounts stalls;                    ///< Warp-cycles.
  StallCounts lost_slots;                ///< As IssueSlots::stalled.
  Ledger<LaneSlotPart> lane_slots;
  MemoryCounters memory;
  /// The latency of loads from global and local memory, of copies to shared memory, and of atomics that are
  /// answered, by the level that answered: if several did, the one furthest from the SM.
  std::array<LoadLatency, kMemoryLevels> latency;

  [[nodiscard]] LoadLatency& latency_from(MemoryLevel level) {
    return latency[static_cast<std::size_t>(level)];
  }
  [[nodiscard]] LoadLatency all_latency() const {
    LoadLatency all;
    for (const LoadLatency& each : latency) all += each;
    return all;
  }

  PcCounters& operator+=(const PcCounters& other);
  friend bool operator==(const PcCounters&, const PcCounters&) = default;
};

}  // namespace heddle::sim
