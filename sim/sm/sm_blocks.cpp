// Grids and blocks on an SM: they come, their warps exit and leave, they end; and what was counted for each.
#include <algorithm>
#include <cmath>
#include <utility>

#include "isa/stream/wait_repair.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

// -- grids --------------------------------------------------------------------------------------------------

void Sm::add_grid(const Grid& grid, std::unique_ptr<stream::WarpSource> source) {
  warps_.add_source(grid.slot, *source);
  grids_.add(grid, std::move(source));
  residency_.add(grid);
  lsu_.add_grid(grid.slot);
  caches_.add_grid(grid.slot, grid.instructions);
  for (SubPartition& sub_partition : sub_partitions_) sub_partition.clear_counters(grid.slot);
}

void Sm::remove_grid(GridSlot slot) {
  warps_.remove_source(*grids_[slot].source);
  caches_.remove_grid(slot);
  grids_.remove(slot);
}

void Sm::count_in(PcLedger* ledger) {
  is_touched_ |= ledger != nullptr || id_ < watch_.heard.stall_sms;
  grids_.count_in(ledger);
  lsu_.count_in(ledger);
  for (unsigned i = 0; i < sub_partitions_.size(); ++i)
    sub_partitions_[i].count_in(ledger, &warps_[i], stride_,
                                id_ < watch_.heard.stall_sms ? &stalls_ : nullptr);
}

// -- blocks -------------------------------------------------------------------------------------------------

void Sm::start_block(const BlockStart& start, Cycle now) {
  ResidentGrid& grid = grids_[start.grid];
  if (residency_.blocks() == 0) {
    for (SubPartition& sub_partition : sub_partitions_) sub_partition.activate(now);
  }
  if (start.sets_l1) lsu_.set_l1(grid.grid->l1_bytes);
  residency_.block_starts(start.grid, now);
  ++grid.counters.blocks;
  const stream::LaunchShape& shape = grid.grid->shape;
  const std::uint32_t index = blocks_.start(start.block, shape.warps_per_block(), ages_);
  blocks_[index].grid = grid.grid;
  const std::vector<WarpSlot>& slots = blocks_[index].slots;
  if (watch_.heard.blocks) {
    events_.emplace_back(
        BlockStarted{now, id_, start.block, static_cast<std::uint32_t>(slots.size()), grid.grid->id});
  }
  first_ops_.resize(slots.size());
  grid.source->start_block(start.block, slots, first_ops_);
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    warps_.start(slots[i],
                 {first_ops_[i], grid.source.get(), start.grid, index, i, ages_++, shape.register_slots},
                 now);
    const auto launched = static_cast<Cycle>(std::llround(spec_.dispatch.warp_launch * i));
    const auto reason = launched == 0 ? ir::StallReason::Wait : ir::StallReason::NoInstruction;
    warps_.resume(slots[i], now, ReadyTime(now + launched, reason));
  }
}

/// The warp has issued its last instruction. It keeps its place until its memory instructions have left for
/// the memory system: stores above all, as nobody waits for them before.
void Sm::exit_warp(WarpSlot slot, Cycle now) {
  WarpContext& warp = warps_[slot];
  ResidentBlock& block = blocks_[warp.block];
  --block.live_warps;
  barriers_.warp_exits(warp.block, block.live_warps, now);
  if (async_.find(warp.block) != nullptr) {
    async_.warp_exits(slot, now);
    release_stuck(warp.block, now + 1);
  }
  if (!lsu_.has_queued(slot)) return leave(slot, now + 1);
  warp.drains = true;
  draining_.push_back(slot);
  warps_.block(slot, now + 1, ir::StallReason::Drain);
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
  warps_.retire(slot, at);
  grids_[warp.grid].counters.resident_warp_cycles += at - warp.start;
  block.finish_times += at;
  if (--block.resident_warps == 0) end_block(warp.block, at);
}

void Sm::end_block(std::uint32_t index, Cycle end) {
  const ResidentBlock& block = blocks_[index];
  ResidentGrid& grid = grids_[block.grid->slot];
  grid.counters.warp_slots[WarpSlotPart::Finished] += block.slots.size() * end - block.finish_times;
  grid.source->end_block(block.slots);
  residency_.block_ends(grid.grid->slot, end);
  finished_blocks_.push_back({end, block.id, grid.grid->slot});
  if (!stalls_.empty()) tell_stalls(end - 1);  // while the block is known
  if (watch_.heard.blocks) events_.emplace_back(BlockEnded{end, id_, block.id, grid.grid->id});
  if (residency_.blocks() == 0) {
    for (SubPartition& sub_partition : sub_partitions_) sub_partition.deactivate(grid.grid->slot, end);
  }
  barriers_.end_block(index);
  async_.end_block(index);
  blocks_.end(index);
}

/// The block's source may lack what ends a wait: if all its warps wait for one another, it says which wait
/// ends.
void Sm::release_stuck(std::uint32_t block, Cycle from) {
  if (async_.find(block) == nullptr) return;
  const std::optional<std::size_t> place = find_repaired_wait(view(), block);
  if (!place) return;
  ResidentGrid& grid = grids_[blocks_[block].grid->slot];
  if (!grid.repair->ends_phase()) return async_.give_up_wait(block, *place, from);
  SmCounters& counters = grid.counters;
  ++counters.released_waits;
  if (!async_.find(block)->waits[*place].op->is_stand_in) ++counters.released_known_waits;
  async_.end_wait(block, *place, from);
}

/// What the sub-partitions have noted of warps whose blocks are resident.
void Sm::tell_stalls(Cycle now) {
  for (const StallSpan& span : stalls_) {
    const auto slot = static_cast<WarpSlot>(span.warp - &warps_[0]);
    events_.emplace_back(WarpStalled{now, span.from, span.until, id_, slot, blocks_[span.warp->block].id,
                                     span.warp->warp_in_block, span.reason, span.pc,
                                     grids_[span.warp->grid].grid->id});
  }
  stalls_.clear();
}

// -- what was counted ---------------------------------------------------------------------------------------

SmCounters Sm::counters(GridSlot slot) const {
  SmCounters result = grids_[slot].counters;
  result.pipe_busy.resize(spec_.sm.pipes.size());
  for (const SubPartition& sub_partition : sub_partitions_) {
    const IssueCounters part = sub_partition.ledger().counters(slot);
    result.issue_slots += part.issue_slots;
    result.stalls += part.stalls;
    result.eligible_warp_cycles += part.eligible_warp_cycles;
    for (std::size_t i = 0; i < result.pipe_busy.size(); ++i) result.pipe_busy[i] += part.pipe_busy[i];
  }
  result.memory += lsu_.counters(slot);
  result.warp_instructions = result.issue_slots.issued;
  grids_.add_whole_issues(slot, result);

  const Residency::Share& share = residency_.share(slot);
  result.active_cycles = share.active_cycles;
  Ledger<WarpSlotPart>& slots = result.warp_slots;
  slots[WarpSlotPart::Resident] = result.resident_warp_cycles;
  slots[WarpSlotPart::ResourceLimit] = share.resource_limit;
  slots[WarpSlotPart::SmallGrid] = share.small_grid;
  slots[WarpSlotPart::LaunchRamp] = share.launch_ramp;
  slots[WarpSlotPart::Tail] = share.tail;
  return result;
}

}  // namespace heddle::sim
