// Faults of grids that cannot go on: deadlocks, and limits of cycles.
#pragma once

#include <vector>

#include "isa/stream/deadlock_watch.h"
#include "sim/device/running_grids.h"
#include "sim/device/sm_array.h"

namespace heddle::sim {

/// Throws the KernelFault of a deadlock: no warp can go on. It names what some of them wait for.
[[noreturn]] void fail_deadlocked(const RunningGrids& grids, const SmArray& sms, Cycle now);

/// Throws the KernelFault of a grid that takes longer than it may.
[[noreturn]] void fail_over_limit(const RunningGrid& grid, const SmArray& sms);

/// Looks now and then for a deadlock of warps that go on issuing: all others wait for warps that spin.
class SpinCheck {
 public:
  /// Throws KernelFault if there is one. `is_settled`: no block will start.
  void look(const RunningGrids& grids, const SmArray& sms, bool is_settled, Cycle now);
  /// Ends a watch, because a source goes whose warps it may watch.
  void stop() { watch_.stop(); }

 private:
  stream::DeadlockWatch watch_;
  std::vector<stream::LiveWarp> live_;  // found by the last look
};

}  // namespace heddle::sim
