#include "sim/ledger/sm_counters.h"

#include <algorithm>

namespace heddle::sim {

SmCounters& SmCounters::operator+=(const SmCounters& other) {
  active_cycles += other.active_cycles;
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  active_lanes += other.active_lanes;
  branches += other.branches;
  divergent_branches += other.divergent_branches;
  blocks += other.blocks;
  resident_warp_cycles += other.resident_warp_cycles;
  eligible_warp_cycles += other.eligible_warp_cycles;
  warp_slots += other.warp_slots;
  issue_slots += other.issue_slots;
  lane_slots += other.lane_slots;
  stalls += other.stalls;
  pipe_busy.resize(std::max(pipe_busy.size(), other.pipe_busy.size()));
  for (std::size_t i = 0; i < other.pipe_busy.size(); ++i) pipe_busy[i] += other.pipe_busy[i];
  memory += other.memory;
  return *this;
}

}  // namespace heddle::sim
