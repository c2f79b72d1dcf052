// Grids on an SM: their blocks start, and what was counted for each of them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/sm/sm.h"

namespace heddle::sim {

void Sm::add_grid(const Grid& grid, std::unique_ptr<stream::WarpSource> source) {
  if (grids_.size() <= grid.slot) grids_.resize(grid.slot + std::size_t{1});
  // host_prefetch_warp() asks for the warps of a slot's source, also before the first block has started.
  for (WarpContext& warp : warps_) {
    if (warp.source != nullptr) continue;
    warp.source = source.get();
    warp.grid = grid.slot;
  }
  const stream::HostPrefetchable* hints = source->host_prefetchable();
  grids_[grid.slot] = {&grid, std::move(source), hints, 0, {}};
  residency_.add(grid);
  lsu_.add_grid(grid.slot);
  constants_.add_grid(grid.slot);
  for (SubPartition& sub_partition : sub_partitions_) sub_partition.clear_counters(grid.slot);
  if (instructions_ != nullptr) {
    instructions_->add_grid(grid.slot, grid.instructions);
  } else {
    make_instruction_caches();
  }
  asks_caches_ = instructions_ != nullptr || spec_.cold.enabled;
}

/// Once the code of all grids can miss: where nothing can, they need not be asked.
void Sm::make_instruction_caches() {
  std::uint64_t instructions = 0;
  for (const GridPart& part : grids_) {
    if (part.grid != nullptr) instructions += part.grid->instructions;
  }
  if (!InstructionCaches::can_miss(spec_, instructions)) return;
  instructions_ = std::make_unique<InstructionCaches>(spec_);
  for (const GridPart& part : grids_) {
    if (part.grid != nullptr) instructions_->add_grid(part.grid->slot, part.grid->instructions);
  }
}

void Sm::remove_grid(GridSlot slot) {
  const stream::WarpSource* source = grids_[slot].source.get();
  for (WarpContext& warp : warps_) {
    if (warp.source == source) warp.source = nullptr;
  }
  grids_[slot] = {};
}

void Sm::start_block(const BlockStart& start, Cycle now) {
  GridPart& part = grids_[start.grid];
  if (residency_.blocks() == 0) {
    for (SubPartition& sub_partition : sub_partitions_) sub_partition.activate(now);
  }
  if (start.sets_l1) lsu_.set_l1(part.grid->l1_bytes);
  residency_.block_starts(start.grid, now);
  ++part.counters.blocks;
  const std::uint32_t index = blocks_.start(start.block, part.grid->shape.warps_per_block(), ages_);
  blocks_[index].grid = start.grid;
  const std::vector<WarpSlot>& slots = blocks_[index].slots;
  if (watch_.heard.blocks) {
    events_.emplace_back(BlockStarted{now, id_, start.block, static_cast<std::uint32_t>(slots.size()),
                                      part.grid->id});
  }
  first_ops_.resize(slots.size());
  part.source->start_block(start.block, slots, first_ops_);
  for (std::uint32_t i = 0; i < slots.size(); ++i) start_warp(slots[i], index, i, now);
}

void Sm::start_warp(WarpSlot slot, std::uint32_t block, std::uint32_t warp_in_block, Cycle now) {
  const GridSlot grid = blocks_[block].grid;
  WarpContext& warp = warps_[slot];
  warp.next = first_ops_[warp_in_block];
  warp.source = grids_[grid].source.get();
  warp.grid = grid;
  warp.results.assign(grids_[grid].grid->shape.register_slots, ReadyTime());
  warp.age = ages_++;
  warp.start = now;
  warp.lanes = 0;
  warp.block = static_cast<std::uint16_t>(block);
  warp.warp_in_block = warp_in_block;
  warp.barrier = -1;
  warp.copies.clear();
  if (std::exchange(warp.has_products, false)) products_[slot].clear();
  sub_partition_of(warp).start(warp.place, grid, now);
  const auto launched = static_cast<Cycle>(std::llround(spec_.dispatch.warp_launch * warp_in_block));
  resume(slot, now,
         ReadyTime(now + launched, launched == 0 ? ir::StallReason::Wait : ir::StallReason::NoInstruction));
}

void Sm::count_in(PcLedger* ledger) {
  pc_ledger_ = ledger;
  lsu_.count_in(ledger);
  for (std::size_t i = 0; i < sub_partitions_.size(); ++i)
    sub_partitions_[i].count_in(ledger, &warps_[i], stride_);
}

// -- what was counted -------------------------------------------------------------------------------------

std::uint64_t Sm::issued() const {
  std::uint64_t issued = 0;
  for (const SubPartition& sub_partition : sub_partitions_) issued += sub_partition.ledger().issued();
  return issued;
}

SmCounters Sm::counters(GridSlot slot) const {
  const GridPart& grid = grids_[slot];
  SmCounters result = grid.counters;
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
  const std::uint64_t whole_issues = result.warp_instructions - grid.partial_issues;
  result.lane_slots[LaneSlotPart::Executed] += spec_.occupancy.warp_size * whole_issues;
  result.thread_instructions = result.lane_slots[LaneSlotPart::Executed];
  result.active_lanes = result.thread_instructions + result.lane_slots[LaneSlotPart::PredicatedOff];

  add_warp_slots(slot, result);
  return result;
}

/// Where the places for warps went.
void Sm::add_warp_slots(GridSlot slot, SmCounters& counters) const {
  const Residency::Share& share = residency_.share(slot);
  counters.active_cycles = share.active_cycles;
  Ledger<WarpSlotPart>& slots = counters.warp_slots;
  slots[WarpSlotPart::Resident] = counters.resident_warp_cycles;
  slots[WarpSlotPart::ResourceLimit] = share.resource_limit;
  slots[WarpSlotPart::SmallGrid] = share.small_grid;
  slots[WarpSlotPart::LaunchRamp] = share.launch_ramp;
  slots[WarpSlotPart::Tail] = share.tail;
}

}  // namespace heddle::sim
