// How busy an SM's pipes were.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/ledger/sm_counters.h"

namespace heddle::sim {

/// How busy one pipe was.
struct PipeUse {
  std::string name;
  double utilization = 0;  ///< Busy cycles / active cycles of all sub-partitions.
  /// Like `utilization`, but for the least busy of the pipes that its instructions can take. Two pipes for
  /// the same instructions limit nothing until both are busy.
  double pressure = 0;
};

/// One entry for each pipe, in the order of the spec.
std::vector<PipeUse> pipe_figures(const SmCounters& total, const GpuSpec& spec);

/// Null if no pipe was used.
const PipeUse* busiest(const std::vector<PipeUse>& pipes);
const PipeUse* scarcest(const std::vector<PipeUse>& pipes);  ///< The pipe with the highest pressure.

}  // namespace heddle::sim
