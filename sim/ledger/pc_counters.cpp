#include "sim/ledger/pc_counters.h"

namespace heddle::sim {

PcCounters& PcCounters::operator+=(const PcCounters& other) {
  issued += other.issued;
  partial_issues += other.partial_issues;
  branches += other.branches;
  divergent_branches += other.divergent_branches;
  stalls += other.stalls;
  lost_slots += other.lost_slots;
  lane_slots += other.lane_slots;
  memory += other.memory;
  for (std::size_t i = 0; i < latency.size(); ++i) latency[i] += other.latency[i];
  return *this;
}

}  // namespace heddle::sim
