// The exchange of blocks between SMs and the block scheduler: those that have ended are counted for their
// grids, and those that will start go to their SMs.
#pragma once

#include <vector>

#include "sim/device/block_scheduler.h"
#include "sim/device/running_grids.h"
#include "sim/device/sm_array.h"
#include "sim/memory/l2_and_dram.h"

namespace heddle::sim {

/// Passes blocks between the SMs and the BlockScheduler that it owns. The device calls it at each exchange.
class BlockExchange {
 public:
  /// All of these outlive it.
  BlockExchange(const GpuSpec& spec, SmArray& sms, RunningGrids& grids);

  /// No block is on any SM any more, and none waits.
  void renew() { scheduler_ = BlockScheduler(spec_); }
  /// Blocks of the grid will start, in the order of priorities.
  void launch(const RunningGrid& grid, int priority);
  /// When a block will start though none ends; kNever if none will.
  [[nodiscard]] Cycle next() const { return scheduler_.next(); }

  /// Takes the blocks that have ended since the last time.
  void take_finished();
  /// The grid's sampler, which it must have, may change what starts from now on.
  void leave_out(RunningGrid& grid, const L2AndDram& memory);
  /// Hands out what starts now that all is known that happens before `now`.
  void place(Cycle now);

 private:
  /// A block that has ended, with its SM: they are sorted by time before the scheduler hears of them.
  struct FinishedBlock {
    SmId sm;
    BlockEnd block;
  };

  const GpuSpec& spec_;
  SmArray& sms_;
  RunningGrids& grids_;
  BlockScheduler scheduler_;
  std::vector<FinishedBlock> finished_;
};

}  // namespace heddle::sim
