// The ends of things on an SM: barriers that complete, warps that finish, blocks that leave.
#include <fmt/format.h>

#include "isa/stream/kernel_fault.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

/// The warps of a block that meet at a barrier must come to it by the same instruction.
void Sm::check_barrier(const WarpContext& warp, WarpSlot slot, const stream::StaticOp& op) const {
  const ResidentBlock::BarrierState& barrier = blocks_[warp.block].barriers[op.barrier];
  if (barrier.waiting.empty() || barrier.pc == op.pc) return;
  throw stream::KernelFault(fmt::format(
      "kernel {}: {}: mismatched barrier: other warps of the block wait at barrier {} of instruction {}",
      plan_.launch.kernel, source_->describe(slot), op.barrier, barrier.pc));
}

void Sm::arrive(WarpSlot slot, const stream::StaticOp& op, Cycle now) {
  WarpContext& warp = warps_[slot];
  ResidentBlock& block = blocks_[warp.block];
  ResidentBlock::BarrierState& barrier = block.barriers[op.barrier];
  warp.barrier = op.barrier;
  barrier.pc = op.pc;
  barrier.waiting.push_back(slot);
  sub_partition_of(warp).block(warp.place, now + 1, ir::StallReason::Barrier);
  release_if_complete(block, barrier, now);
}

/// Warps that have exited are not waited for.
void Sm::release_if_complete(ResidentBlock& block, ResidentBlock::BarrierState& barrier, Cycle now) {
  if (barrier.waiting.empty() || barrier.waiting.size() < block.live_warps) return;
  const Cycle cost = spec_.sm.barrier.base + Cycle{spec_.sm.barrier.per_warp} * barrier.waiting.size();
  for (const WarpSlot slot : barrier.waiting) {
    warps_[slot].barrier = -1;
    resume(slot, now + 1, Stamp(now + cost, ir::StallReason::Barrier));
  }
  barrier.waiting.clear();
}

void Sm::finish_warp(WarpSlot slot, Cycle now) {
  const WarpContext& warp = warps_[slot];
  ResidentBlock& block = blocks_[warp.block];
  sub_partition_of(warp).retire(warp.place);
  counters_.resident_warp_cycles += now + 1 - warp.start;
  block.finish_times += now + 1;
  if (--block.live_warps == 0) {
    end_block(warp.block, now + 1);
    return;
  }
  for (ResidentBlock::BarrierState& barrier : block.barriers) release_if_complete(block, barrier, now);
}

void Sm::end_block(std::uint32_t index, Cycle end) {
  ResidentBlock& block = blocks_[index];
  counters_.warp_slots[WarpSlotPart::Finished] += block.slots.size() * end - block.finish_times;
  source_->end_block(block.slots);
  for (const WarpSlot slot : block.slots) slot_taken_[slot] = false;
  free_blocks_.push_back(index);
  residency_.block_ends(end);
  finished_blocks_.push_back(end);
  if (residency_.blocks() == 0) {
    for (SubPartition& sub_partition : sub_partitions_) sub_partition.deactivate(end);
  }
}

}  // namespace heddle::sim
