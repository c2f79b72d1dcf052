// Grids on a device that cannot go on.
#pragma once

#include <vector>

#include "isa/stream/deadlock_watch.h"
#include "sim/device/running_grids.h"
#include "sim/device/sm_array.h"

namespace heddle::sim {

/// No warp can go on. Throws KernelFault, which names what some of them wait for.
[[noreturn]] void fail_deadlocked(const RunningGrids& grids, const SmArray& sms, Cycle now);

/// The grid has taken all the cycles that it may.
[[noreturn]] void fail_over_limit(const RunningGrid& grid, const SmArray& sms);

/// Looks now and then whether warps that spin are all that happens, and all that will.
class SpinCheck {
 public:
  /// Throws KernelFault if that is so. `is_settled`: no block will start.
  void look(const RunningGrids& grids, const SmArray& sms, bool is_settled, Cycle now);
  /// The source of warps that it may watch goes.
  void stop() { watch_.stop(); }

 private:
  stream::DeadlockWatch watch_;
  std::vector<stream::LiveWarp> live_;  // found by the last look
};

}  // namespace heddle::sim
