// What a block does asynchronously, and how its warps wait for it: mbarriers, bulk copies, arrivals that wait
// for a warp's own copies, and the barrier of the cluster.
//
// What is done at a barrier counts at once: what it costs to tell it is not published. Waits are the warp's,
// behind the instruction; Nsight Compute calls them stalls on a long scoreboard.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isa/base/pool.h"
#include "isa/base/types.h"
#include "isa/stream/async_step.h"
#include "sim/sm/load_store_unit.h"
#include "sim/sm/mbarriers.h"
#include "sim/sm/resident_blocks.h"
#include "sim/sm/scoreboard.h"

namespace heddle::sim {

/// The unit of an SM that moves mbarriers and bulk copies on, and holds the warps that wait for them. It
/// changes when warps issue and when the load/store unit completes copies.
class AsyncUnit {
 public:
  /// All of these outlive it.
  AsyncUnit(Scoreboard& warps, const ResidentBlocks& blocks, LoadStoreUnit& lsu)
      : warps_(warps), blocks_(blocks), lsu_(lsu) {}

  /// What the block has, null if it has not used any of it.
  [[nodiscard]] const BlockMbarriers* find(std::uint32_t block) const {
    return block < of_block_.size() ? of_block_[block].get() : nullptr;
  }

  // -- what warps issue -------------------------------------------------------------------------------------
  /// The warp does something at mbarriers, or at the barrier of the cluster; it goes on, or waits.
  void act(WarpSlot slot, const stream::StaticOp& op, const stream::AsyncStep& step, Cycle now);
  /// A bulk copy begins; the warp does not wait.
  void start_bulk_copy(WarpSlot slot, const stream::StaticOp& op, const stream::AsyncStep& step, Cycle now);
  /// The warp has exited. Blocks that use nothing of all this need not be told.
  void warp_exits(WarpSlot slot, Cycle now);

  // -- what comes of it -------------------------------------------------------------------------------------
  /// It has become known when a copy of the warp is done.
  void end_copy(const ResultOwner& owner, ReadyTime done, Cycle now);
  /// It has become known when a bulk copy to shared memory is done. The warp that began it may be gone, and
  /// even its block: otherwise returns the block.
  std::optional<std::uint32_t> end_bulk_load(std::uint32_t id, Cycle done, Cycle now);
  /// The first `place` of the block's waits, and all others for that phase, end.
  void end_wait(std::uint32_t block, std::size_t place, Cycle from);
  /// That one alone ends, though its phase is not over.
  void give_up_wait(std::uint32_t block, std::size_t place, Cycle from);
  /// All warps of the block have exited.
  void end_block(std::uint32_t block) {
    if (block < of_block_.size()) of_block_[block].reset();
  }

 private:
  /// A bulk copy into a block's shared memory that is under way.
  struct BulkLoad {
    std::uint32_t block = 0;  // its index
    std::uint64_t serial = 0;
    bool has_barrier = false;
    std::uint32_t barrier = 0;
    std::uint64_t bytes = 0;
    std::uint32_t copies_per_phase = 0;
  };

  [[nodiscard]] BlockMbarriers& of(const WarpContext& warp);
  void wait_for_phase(WarpSlot slot, const stream::StaticOp& op, const stream::AsyncStep& step, Cycle now);
  void wait_for(const PhaseWait& wait, Cycle now);
  void end_waits(std::uint32_t block, std::uint32_t barrier, Cycle from);
  void arrive_after_copies(WarpSlot slot, const stream::AsyncStep& step, Cycle now);
  void arrive_for_copies(WarpSlot slot, Cycle from);

  Scoreboard& warps_;
  const ResidentBlocks& blocks_;
  LoadStoreUnit& lsu_;
  std::vector<std::unique_ptr<BlockMbarriers>> of_block_;
  Pool<BulkLoad> bulk_loads_;
};

}  // namespace heddle::sim
