#include "sim/device/block_scheduler.h"

#include <algorithm>
#include <utility>

namespace heddle::sim {

BlockScheduler::BlockScheduler(const GpuSpec& spec)
    : block_launch_(spec.dispatch.block_launch),
      block_interval_(nearest_ticks(spec.dispatch.block_interval)),
      placement_(make_placement(spec.dispatch.placement)),
      sms_(spec.sms, Place{SmRoom(spec.occupancy), {}}),
      room_(spec.sms) {}

void BlockScheduler::launch(const GridQueueEntry& grid) {
  if (grids_.size() <= grid.slot) grids_.resize(grid.slot + std::size_t{1});
  grids_[grid.slot] = {{0, grid.blocks}, {}, grid.ready_at, grid.demand};
  launches_.push_back(grid);
}

void BlockScheduler::hand_out(GridSlot slot, std::vector<BlockRange> ranges) {
  GridState& grid = grids_[slot];
  grid.current = ranges.front();
  ranges.erase(ranges.begin());
  grid.later = std::move(ranges);
}

BlockId BlockScheduler::GridState::take_block() {
  const BlockId block = current.from++;
  if (current.blocks() == 0 && !later.empty()) {
    current = later.front();
    later.erase(later.begin());
  }
  return block;
}

Cycle BlockScheduler::next() const {
  if (launches_.empty()) return kNever;
  const Cycle ready = launches_.front().ready_at;
  return ready - std::min(ready, block_launch_);
}

/// Time goes on by what can start a block: a place that has been free for block_launch, or a launch that is
/// ready. So what is decided does not depend on when it is asked for.
const std::vector<BlockStartOrder>& BlockScheduler::decide(Cycle now) {
  orders_.clear();
  auto launch = launches_.begin();
  const auto launch_until = [&](Cycle time) {
    for (; launch != launches_.end() && launch->ready_at < time;) {
      const Cycle ready = launch->ready_at;
      while (launch != launches_.end() && launch->ready_at == ready) join_queue(*launch++);
      place_blocks(ready);
    }
  };
  for (const Ended& ended : ends_) {
    const Cycle free = ended.block.at + block_launch_;
    launch_until(free);
    free_place(ended);
    place_blocks(free);
  }
  launch_until(now + block_launch_);
  launches_.erase(launches_.begin(), launch);
  ends_.clear();
  return orders_;
}

void BlockScheduler::join_queue(const GridQueueEntry& grid) {
  const auto behind = std::upper_bound(
      queue_.begin(), queue_.end(), grid,
      [](const GridQueueEntry& a, const GridQueueEntry& b) { return a.priority < b.priority; });
  if (behind == queue_.begin()) knows_room_ = false;
  queue_.insert(behind, grid);
}

void BlockScheduler::free_place(const Ended& ended) {
  Place& place = sms_[ended.sm];
  const auto held = std::find_if(place.held.begin(), place.held.end(), [&](const Held& each) {
    return each.grid == ended.block.grid && each.block == ended.block.block;
  });
  place.room.give_back(grids_[ended.block.grid].demand, held->pools);
  place.held.erase(held);
  if (knows_room_ && !queue_.empty()) room_[ended.sm] = place.room.room_for(queue_.front().demand);
}

/// As many as there is room for.
void BlockScheduler::place_blocks(Cycle earliest) {
  while (!queue_.empty()) {
    const GridQueueEntry& first = queue_.front();
    if (!knows_room_) {
      for (SmId sm = 0; sm < sms_.size(); ++sm) room_[sm] = sms_[sm].room.room_for(first.demand);
      knows_room_ = true;
    }
    if (std::all_of(room_.begin(), room_.end(), [](std::uint32_t blocks) { return blocks == 0; })) return;
    start(first, placement_->choose(room_), earliest);
    if (!all_started(first.slot)) continue;
    queue_.erase(queue_.begin());
    knows_room_ = false;
  }
}

void BlockScheduler::start(const GridQueueEntry& grid, SmId sm, Cycle earliest) {
  const Tick at = std::max(to_ticks(earliest), free_at_);
  free_at_ = at + block_interval_;
  GridState& state = grids_[grid.slot];
  state.last_start = at / kTicksPerCycle;
  Place& place = sms_[sm];
  const bool sets_l1 = place.room.is_empty() && (!place.has_l1 || place.l1_of != grid.id);
  if (sets_l1) {
    place.has_l1 = true;
    place.l1_of = grid.id;
  }
  const BlockId block = state.take_block();
  orders_.push_back({sm, {state.last_start, block, grid.slot, sets_l1}});
  place.held.push_back({grid.slot, block, place.room.take(grid.demand)});
  room_[sm] = place.room.room_for(grid.demand);
}

}  // namespace heddle::sim
