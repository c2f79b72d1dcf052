// Goes through all counters of an SM, for whoever treats them all alike: keeps them, or computes with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/ir/stall_reason.h"
#include "sim/ledger/sm_counters.h"

namespace heddle::sim {

template <typename Part, typename Counts, typename Visit>
void visit_ledger(std::string_view group, Counts& ledger, const Visit& visit) {
  for (std::size_t i = 0; i < Ledger<Part>::kParts; ++i) {
    const auto part = static_cast<Part>(i);
    visit(group, info(part).key, ledger[part]);
  }
}

/// Calls `visit` with the two parts of the name and the value of each counter, always in the same order.
template <typename Counters, typename Visit>
void visit_counters(Counters& counters, const Visit& visit) {
#define HEDDLE_SM_COUNTER(name, summary) visit("sm", #name, counters.name);
#include "sim/ledger/sm_counters.def"
#undef HEDDLE_SM_COUNTER
  visit_ledger<WarpSlotPart>("warp_slots", counters.warp_slots, visit);
  visit("issue_slots", "issued", counters.issue_slots.issued);
  visit("issue_slots", "no_warp", counters.issue_slots.no_warp);
  visit_ledger<ir::StallReason>("issue_slots", counters.issue_slots.stalled, visit);
  visit_ledger<LaneSlotPart>("lane_slots", counters.lane_slots, visit);
  visit_ledger<ir::StallReason>("stalls", counters.stalls, visit);
#define HEDDLE_MEMORY_COUNTER(name, summary) visit("memory", #name, counters.memory.name);
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
  for (auto& busy : counters.pipe_busy) visit("pipe_busy", {}, busy);
}

// A counter that is added to the structures must be visited, too.
inline constexpr std::size_t kPlainCounters = 0
#define HEDDLE_SM_COUNTER(name, summary) +1
#include "sim/ledger/sm_counters.def"
#undef HEDDLE_SM_COUNTER
    ;
inline constexpr std::size_t kCountersOfMemory = 0
#define HEDDLE_MEMORY_COUNTER(name, summary) +1
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
    ;
inline constexpr std::size_t kVisited = kPlainCounters + kCountersOfMemory + Ledger<WarpSlotPart>::kParts +
                                        Ledger<LaneSlotPart>::kParts + 2 * Ledger<ir::StallReason>::kParts +
                                        2;
static_assert(sizeof(SmCounters) == kVisited * sizeof(std::uint64_t) + sizeof(std::vector<std::uint64_t>));

}  // namespace heddle::sim
