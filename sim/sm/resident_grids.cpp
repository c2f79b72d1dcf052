#include "sim/sm/resident_grids.h"

#include <utility>

namespace heddle::sim {

void ResidentGrids::add(const Grid& grid, std::unique_ptr<stream::WarpSource> source) {
  if (grids_.size() <= grid.slot) grids_.resize(grid.slot + std::size_t{1});
  const stream::HostPrefetchable* hints = source->host_prefetchable();
  const stream::WaitRepair* repair = source->wait_repair();
  grids_[grid.slot] = {&grid, std::move(source), hints, repair, 0, {}};
}

void ResidentGrids::count_lanes(const WarpContext& warp, const stream::WarpStep& step) {
  ResidentGrid& grid = grids_[warp.grid];
  const auto count = [&](Ledger<LaneSlotPart>& lanes) {
    lanes[LaneSlotPart::Executed] += lane_count(step.executed);
    lanes[LaneSlotPart::PredicatedOff] += lane_count(step.active & ~step.executed);
    lanes[LaneSlotPart::Diverged] += lane_count(step.live & ~step.active);
    lanes[LaneSlotPart::Exited] += lane_count(warp.lanes & ~step.live);
    lanes[LaneSlotPart::NeverExisted] += warp_size_ - lane_count(warp.lanes);
  };
  ++grid.partial_issues;
  count(grid.counters.lane_slots);
  if (PcCounters* of_pc = find_counters(pc_ledger_, warp.grid, warp.next->pc)) {
    ++of_pc->partial_issues;
    count(of_pc->lane_slots);
  }
}

void ResidentGrids::count_branch(const WarpContext& warp, const stream::StaticOp& op,
                                 const stream::WarpStep& step) {
  const bool has_parted_lanes = step.has_parted_lanes();
  const auto count = [&](auto& counters) {
    ++counters.branches;
    if (has_parted_lanes) ++counters.divergent_branches;
  };
  count(grids_[warp.grid].counters);
  if (PcCounters* of_pc = find_counters(pc_ledger_, warp.grid, op.pc)) count(*of_pc);
}

void ResidentGrids::add_whole_issues(GridSlot slot, SmCounters& counters) const {
  const std::uint64_t whole_issues = counters.warp_instructions - grids_[slot].partial_issues;
  counters.lane_slots[LaneSlotPart::Executed] += warp_size_ * whole_issues;
  counters.thread_instructions = counters.lane_slots[LaneSlotPart::Executed];
  counters.active_lanes = counters.thread_instructions + counters.lane_slots[LaneSlotPart::PredicatedOff];
}

}  // namespace heddle::sim
