// Resources that everything has to pass, and how near to its limit each is.
#pragma once

#include <string>
#include <vector>

#include "sim/figures/run_figures.h"

namespace heddle::sim {

struct Limit {
  std::string kind;     ///< As verdicts name it: "dram_bandwidth", "pipe"...
  std::string name;     ///< "DRAM bandwidth", "the fma pipe"
  double shown = 0;     ///< The figure of the report: of its peak, or of the time of SMs that hold a block.
  double pressure = 0;  ///< Of the time after the launch, what it needs at the rate that it reaches.
  double binds_from =
      1;  ///< The pressure from which on it, and not the warps' waiting for it, holds a kernel back.

  [[nodiscard]] bool binds() const { return pressure >= binds_from; }
};

/// DRAM, L2, the path between L2's partitions, the scarcest pipe, the data pipe of L1 and shared memory, in
/// the order in which they are looked at.
std::vector<Limit> limits_of(const RunFigures& figures);

/// What would hold the kernel back if this one did not: another one, or the turns of the schedulers.
Limit next_limit(const RunFigures& figures, const Limit& without);

}  // namespace heddle::sim
