// The results of launches and of a device.
#pragma once

#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/ledger/pc_counters.h"
#include "sim/ledger/sm_counters.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// All that was counted of one launch.
struct RunResult {
  stream::LaunchShape launch;
  Occupancy occupancy;
  /// From the launch until its blocks have ended, and memory has done what they asked for.
  Cycle cycles = 0;
  Cycle blocks_end = 0;  ///< The cycle in which the last block has ended.
  std::vector<SmCounters> sms;
  SmCounters total;  ///< Their sum, with what the shared memory system counted.
  /// Another grid ran at some time while it did. Then the slots of its ledgers are those that it was charged (GridRun).
  bool ran_beside_others = false;
  /// If it was asked for: the same by instruction. A trace has those that it has come to.
  std::vector<PcCounters> by_pc;
};

/// The result of one grid of a device. Where grids run side by side, each slot of the three ledgers, each
/// stall and each sector belongs to one of them: what grids count adds up to what the device did. Slots that
/// no warp holds are charged to the grid that came first of those on the SM, and on SMs without a block to
/// the first of those that run. Active cycles alone, those with a block of the grid, do not add up.
struct GridRun {
  Cycle begin = 0;  ///< By the device's clock: when it was launched.
  RunResult result;
};

/// What a device did in all.
struct DeviceTotals {
  Cycle cycles = 0;  ///< Cycles in which a grid ran.
  std::vector<SmCounters> sms;
  SmCounters total;  ///< With what the shared memory system counted.
};

}  // namespace heddle::sim
