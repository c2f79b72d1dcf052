// A grid on a device: submitted, running, done.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/device/options.h"
#include "sim/device/streams.h"
#include "sim/occupancy/occupancy.h"
#include "sim/occupancy/sm_room.h"
#include "sim/sm/grid.h"

namespace heddle::sim {

/// A launch that waits in its stream.
struct SubmittedGrid {
  stream::KernelSource* source = nullptr;
  StreamId stream{};
  Occupancy occupancy;
  LaunchOptions options;
};

/// A grid from its launch to its end. RunningGrids owns it; the exchanges bring it up to date.
struct RunningGrid {
  Grid grid;
  stream::KernelSource* source = nullptr;
  StreamId stream{};
  Occupancy occupancy;
  Cycle begin = 0;
  Cycle limit = kNever;             ///< The last cycle it may take, by the device's clock.
  BlockSampler* sampler = nullptr;  ///< Null: all blocks run.
  std::uint64_t left_out = 0;       ///< Blocks that will not run, as things stand.
  std::uint64_t blocks_done = 0;
  Cycle blocks_end = 0;  ///< When the last block that has ended did.
  bool tail_noted = false;
  Cycle end = kNever;                  ///< Once it is known.
  std::vector<std::uint64_t> idle_sm;  ///< Warp slots, by SM.
  bool ran_beside_others = false;      ///< Another grid ran at some time while it did.

  [[nodiscard]] bool has_blocks() const { return blocks_done < blocks(); }
  /// How many blocks run.
  [[nodiscard]] std::uint64_t blocks() const { return grid.shape.blocks() - left_out; }
};

}  // namespace heddle::sim
