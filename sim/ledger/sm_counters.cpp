#include "sim/ledger/sm_counters.h"

#include <algorithm>

namespace heddle::sim {

SmCounters& SmCounters::operator+=(const SmCounters& other) {
#define HEDDLE_SM_COUNTER(name, summary) name += other.name;
#include "sim/ledger/sm_counters.def"
#undef HEDDLE_SM_COUNTER
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
