// Facts that the model tells whoever asked. With nobody asking they cost a test of a null pointer.
#pragma once

#include "isa/base/types.h"

namespace heddle::sim {

/// A warp instruction has issued.
struct WarpIssued {
  Cycle cycle = 0;
  SmId sm = 0;
  WarpSlot slot = 0;
  BlockId block = 0;
  std::uint32_t warp_in_block = 0;
  Pc pc = 0;
  LaneMask live = 0;      ///< Lanes that had not exited.
  LaneMask active = 0;    ///< Lanes on the path that issued.
  LaneMask executed = 0;  ///< Of those, the ones whose guard held.
};

/// Listens to a run. Calls come SM by SM within a quantum; within an SM in the order of time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void warp_issued(const WarpIssued&) {}
};

}  // namespace heddle::sim
