// Shared resources such as bandwidths and pipes, and how close a run comes to the limit of each.
#pragma once

#include <string>
#include <vector>

#include "sim/figures/run_figures.h"

namespace heddle::sim {

/// One resource and how close it is to its limit.
struct Limit {
  std::string kind;  ///< The key in verdicts: "dram_bandwidth", "pipe"...
  std::string name;  ///< "DRAM bandwidth", "the fma pipe"
  /// The figure in the report: a share of the peak, or of the time in which SMs hold a block.
  double shown = 0;
  /// Share of the time after the launch that the resource needs at the rate that it can reach.
  double pressure = 0;
  /// The pressure from which on the resource itself holds a kernel back, and not the latency for which warps
  /// wait.
  double binds_from =
      1;

  [[nodiscard]] bool binds() const { return pressure >= binds_from; }
};

/// DRAM, L2, the path between L2's partitions, the scarcest pipe, and the data pipe of L1 and shared memory,
/// in the order in which they are considered.
std::vector<Limit> limits_of(const RunFigures& figures);

/// The limit that would come next without this one: another resource, or the issue slots of the schedulers.
Limit next_limit(const RunFigures& figures, const Limit& without);

}  // namespace heddle::sim
