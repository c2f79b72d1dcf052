// The ends of things on an SM: barriers that complete, warps that exit and leave, blocks that end.
#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/kernel_fault.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

void Sm::arrive(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use, Cycle now) {
  WarpContext& warp = warps_[slot];
  ResidentBlock& block = blocks_[warp.block];
  stream::BlockBarrier& barrier = block.barriers[use.id];
  if (const std::string wrong = barrier.mismatch(op, use); !wrong.empty()) {
    throw stream::KernelFault(
        stream::FaultKind::Barrier,
        fmt::format("kernel {}: mismatched barrier {}: {}; before {}", grids_[warp.grid].grid->shape.kernel,
                    use.id, wrong, warp.source->describe(slot)));
  }
  barrier.arrive(op, use, slot);
  block.closed |= std::uint32_t{1} << use.id;
  const Cycle taken = take_arrival(now);
  if (op.kind == stream::OpKind::BarrierArrive) {
    resume(slot, now + 1, ReadyTime(now + 1, ir::StallReason::Wait));
  } else {
    warp.barrier = use.id;
    sub_partition_of(warp).block(warp.place, now + 1, ir::StallReason::Barrier);
  }
  if (barrier.is_complete(block.live_warps)) release(block, use.id, taken, now);
  release_stuck(warp.block, now + 1);
}

/// The barrier unit of the SM takes the warps that come to barriers one after another, of all blocks and
/// whether they wait or not; when it has taken this one.
Cycle Sm::take_arrival(Cycle now) {
  barrier_free_ = std::max(barrier_free_, now) + spec_.sm.barrier.per_warp;
  return barrier_free_;
}

void Sm::release(ResidentBlock& block, unsigned barrier, Cycle taken, Cycle now) {
  const ReadyTime open(taken + spec_.sm.barrier.base, ir::StallReason::Barrier);
  for (const WarpSlot slot : block.barriers[barrier].waiting()) {
    warps_[slot].barrier = -1;
    resume(slot, now + 1, open);
  }
  block.open(barrier);
}

/// The warp has issued its last instruction. Warps that have exited are not waited for, unless the barrier
/// counts: an exit that opens one passes the unit as an arrival does. The warp keeps its place until its
/// memory instructions have left for the memory system: stores above all, as nobody waits for them before.
void Sm::exit_warp(WarpSlot slot, Cycle now) {
  WarpContext& warp = warps_[slot];
  ResidentBlock& block = blocks_[warp.block];
  --block.live_warps;
  block.for_each_closed([&](unsigned barrier) {
    if (block.barriers[barrier].is_complete(block.live_warps))
      release(block, barrier, take_arrival(now), now);
  });
  if (block.async != nullptr) {
    block.async->cluster.leave(slot, block.live_warps, now);
    end_waits(warp.block, BlockMbarriers::kCluster, now + 1);
    release_stuck(warp.block, now + 1);
  }
  if (!lsu_.has_queued(slot)) return leave(slot, now + 1);
  warp.drains = true;
  draining_.push_back(slot);
  sub_partition_of(warp).block(warp.place, now + 1, ir::StallReason::Drain);
}

/// Who drains keeps its place in the cycle in which its last instruction leaves, too.
void Sm::end_drained(Cycle now) {
  std::erase_if(draining_, [&](WarpSlot slot) {
    if (lsu_.has_queued(slot)) return false;
    warps_[slot].drains = false;
    leave(slot, now + 1);
    return true;
  });
}

/// The warp is gone from cycle `at` on.
void Sm::leave(WarpSlot slot, Cycle at) {
  const WarpContext& warp = warps_[slot];
  ResidentBlock& block = blocks_[warp.block];
  sub_partition_of(warp).retire(warp.place, at);
  counters_of(warp).resident_warp_cycles += at - warp.start;
  block.finish_times += at;
  if (--block.resident_warps == 0) end_block(warp.block, at);
}

void Sm::end_block(std::uint32_t index, Cycle end) {
  const ResidentBlock& block = blocks_[index];
  GridPart& part = grids_[block.grid];
  part.counters.warp_slots[WarpSlotPart::Finished] += block.slots.size() * end - block.finish_times;
  part.source->end_block(block.slots);
  residency_.block_ends(block.grid, end);
  finished_blocks_.push_back({end, block.id, block.grid});
  if (watch_.heard.blocks) events_.emplace_back(BlockEnded{end, id_, block.id, part.grid->id});
  if (residency_.blocks() == 0) {
    for (SubPartition& sub_partition : sub_partitions_) sub_partition.deactivate(block.grid, end);
  }
  blocks_.end(index);
}

}  // namespace heddle::sim
