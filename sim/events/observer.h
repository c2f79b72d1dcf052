// Facts that the model tells whoever asked. With nobody asking they cost a test of a null pointer.
#pragma once

#include "isa/base/types.h"
#include "isa/ir/stall_reason.h"

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
  std::uint32_t grid = 0;  ///< The GridId of its grid.
};

/// What a resident warp does in a cycle, told for the cycles that RunOptions::samples names.
struct WarpSampled {
  enum class State : std::uint8_t { Issued, Stalled, Finished };

  Cycle cycle = 0;
  SmId sm = 0;
  WarpSlot slot = 0;
  BlockId block = 0;
  std::uint32_t warp_in_block = 0;
  State state = State::Stalled;
  ir::StallReason stall = ir::StallReason::Wait;  ///< If stalled.
  std::uint32_t grid = 0;                         ///< The GridId of its grid.
};

/// A range of cycles, the last one not in it.
struct CycleRange {
  Cycle from = 0;
  Cycle until = 0;

  [[nodiscard]] bool contains(Cycle cycle) const { return cycle >= from && cycle < until; }
  [[nodiscard]] bool overlaps(Cycle begin, Cycle end) const { return begin < until && from < end; }
};

/// Listens to a run. Calls come SM by SM within a quantum; within an SM in the order of time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void warp_issued(const WarpIssued&) {}
  virtual void warp_sampled(const WarpSampled&) {}
};

}  // namespace heddle::sim
