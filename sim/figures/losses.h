// What SMs lose while they hold blocks, by cause. The order makes causes of different kinds comparable.
#pragma once

#include <string_view>
#include <vector>

#include "sim/figures/run_figures.h"

namespace heddle::sim {

/// One cause and what it costs.
struct Loss {
  std::string_view key;  ///< A part of the issue or of the lane ledger.
  /// Share of the issue slots of SMs that hold a block, as in the issue ledger. For lane losses: share of the
  /// lanes of these slots.
  double share = 0;
  /// Upper limit for the time that would be saved without this cause, as a share of the time in which an SM
  /// holds a block. All waits for global memory (for data, for room in its queue, for stores at the end)
  /// count as one cause. Lanes without work count by the instructions that they make necessary, as far as
  /// instructions take the time.
  double time = 0;
};

/// Sorted, greatest first; none is 0.
std::vector<Loss> losses_of(const RunFigures& figures);

/// Share of an SM's schedulers that never have a warp, because the launch gives the SM too few warps.
double schedulers_without_warp(const RunFigures& figures);

/// Whether the key names a part of the lane ledger.
bool is_lane_part(const RunFigures& figures, std::string_view key);

/// Whether the stall reason is a wait for global memory.
bool is_global_wait(std::string_view stall);

}  // namespace heddle::sim
