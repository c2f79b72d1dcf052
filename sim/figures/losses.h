// What SMs that hold blocks lose, by cause, in an order that tells causes of different kinds against one
// another.
#pragma once

#include <string_view>
#include <vector>

#include "sim/figures/run_figures.h"

namespace heddle::sim {

struct Loss {
  std::string_view key;  ///< A part of the issue or of the lane ledger.
  double share = 0;  ///< Of the issue slots of SMs that hold a block, as the issue ledger shows it; of lanes:
                     ///< of the lanes of those slots.
  /// Of the time in which an SM holds a block, what would go at most if this did. Waits for global memory
  /// (for data, for room in its queue, for stores at the end) count as one. Lanes that do no work count by
  /// the instructions that they make necessary, as far as it is instructions that take the time.
  double time = 0;
};

/// The greatest first; none of them is 0.
std::vector<Loss> losses_of(const RunFigures& figures);

/// Of the schedulers of an SM, the share that can have no warp because the launch gives the SM too few.
double schedulers_without_warp(const RunFigures& figures);

bool is_lane_part(const RunFigures& figures, std::string_view key);

/// Waits for global memory.
bool is_global_wait(std::string_view stall);

}  // namespace heddle::sim
