// Which block starts on which SM, and when.
//
// Grids wait in a queue: that of the highest priority first, among equals the one that was launched first.
// The blocks of the first grid go out in the order of their index, each to the SM that the placement policy
// chooses. Only when all of them have started come those of the next one, where resources are left
// ("leftover"); so a grid that fits nowhere holds up those behind it. Nothing is preempted. Sources:
// configs/README.md.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/device/block_placement.h"
#include "sim/device/block_range.h"
#include "sim/memory/tick.h"
#include "sim/occupancy/sm_room.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

/// The decision that a block starts on an SM.
struct BlockStartOrder {
  SmId sm = 0;
  BlockStart start;
};

/// A launch, as far as placing its blocks is concerned.
struct GridQueueEntry {
  GridId id = 0;
  GridSlot slot = 0;
  int priority = 0;  ///< As with CUDA's streams: the lower, the sooner.
  std::uint64_t blocks = 0;
  BlockDemand demand;
  Cycle ready_at = 0;  ///< Its first block does not start before.
};

/// The GPU's block scheduler (NVIDIA's compute work distributor). It keeps the queue of grids and what each
/// SM has room for; it decides at each exchange what starts from then on.
class BlockScheduler {
 public:
  explicit BlockScheduler(const GpuSpec& spec);

  /// It joins the queue when it is ready. Calls come in the order of that time.
  void launch(const GridQueueEntry& grid);
  /// The block's place is free, for the next block block_launch later. Calls come in the order (time, SM),
  /// and decide() may have been called for no later time.
  void block_ended(SmId sm, const BlockEnd& end) { ends_.push_back({sm, end}); }

  /// When decide() will have something to do though no block ends; kNever if it will not.
  [[nodiscard]] Cycle next() const;
  /// What starts now that all is known that happens before `now`; in the order of time. None starts before
  /// `now`.
  const std::vector<BlockStartOrder>& decide(Cycle now);

  /// The block of the grid that starts next, if not all have.
  [[nodiscard]] BlockId next_block(GridSlot slot) const { return grids_[slot].current.from; }
  /// What starts of the grid from now on, range by range. Not all of its blocks have started yet.
  void hand_out(GridSlot slot, std::vector<BlockRange> ranges);

  [[nodiscard]] bool all_started(GridSlot slot) const {
    return grids_[slot].current.blocks() == 0 && grids_[slot].later.empty();
  }
  /// When the last block of the grid that has been placed so far starts.
  [[nodiscard]] Cycle last_start(GridSlot slot) const { return grids_[slot].last_start; }

 private:
  /// A block that has ended, and whose place is to be freed.
  struct Ended {
    SmId sm;
    BlockEnd block;
  };
  /// A block that has been given its place.
  struct Held {
    GridSlot grid;
    BlockId block;
    SmRoom::Pools pools;
  };
  /// An SM as the scheduler sees it: the resources that are left, and the blocks that hold the others.
  struct Place {
    SmRoom room;
    std::vector<Held> held;
    bool has_l1 = false;  // set for the grid that follows
    GridId l1_of = 0;
  };
  /// How far the placing of a grid's blocks is.
  struct GridState {
    BlockRange current;             // starts next
    std::vector<BlockRange> later;  // after that; none is empty
    Cycle last_start = 0;
    BlockDemand demand;

    BlockId take_block();
  };

  void join_queue(const GridQueueEntry& grid);
  void free_place(const Ended& ended);
  void place_blocks(Cycle earliest);
  void start(const GridQueueEntry& grid, SmId sm, Cycle earliest);

  Cycle block_launch_;
  Tick block_interval_;  // no whole number of cycles
  std::unique_ptr<BlockPlacement> placement_;
  std::vector<Place> sms_;
  std::vector<GridState> grids_;          // by slot
  std::vector<GridQueueEntry> launches_;  // that have not joined the queue, by time
  std::vector<GridQueueEntry> queue_;     // grids with blocks to start
  std::vector<Ended> ends_;               // since the last decision
  std::vector<std::uint32_t> room_;       // by SM: for how many blocks of the queue's first grid,
  bool knows_room_ = false;               // if that is known
  std::vector<BlockStartOrder> orders_;   // made by the last decision
  Tick free_at_ = 0;                      // when the next block can be sent
};

}  // namespace heddle::sim
