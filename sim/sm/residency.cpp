#include "sim/sm/residency.h"

#include <algorithm>

namespace heddle::sim {

void Residency::add(const Grid& grid) {
  if (grids_.size() <= grid.slot) grids_.resize(grid.slot + std::size_t{1});
  grids_[grid.slot] = {&grid, 0, kNever, {}};
}

void Residency::block_starts(GridSlot slot, Cycle now) {
  advance(now);
  Place& place = grids_[slot];
  if (place.blocks++ == 0) order_.push_back(slot);
  ++blocks_;
  held_ += place.grid->shape.warps_per_block();
}

void Residency::block_ends(GridSlot slot, Cycle now) {
  advance(now);
  Place& place = grids_[slot];
  if (--place.blocks == 0) std::erase(order_, slot);
  --blocks_;
  held_ -= place.grid->shape.warps_per_block();
}

void Residency::advance(Cycle now) {
  if (blocks_ != 0) {
    active_cycles_ += now - last_;
    for (const GridSlot slot : order_) grids_[slot].share.active_cycles += now - last_;
    charge_free(grids_[order_.front()], now);
  }
  last_ = now;
}

/// What others hold is taken first from what the grid could not have had anyway.
void Residency::charge_free(Place& first, Cycle now) const {
  const std::uint64_t warps = first.grid->shape.warps_per_block();
  std::uint64_t others = held_ - first.blocks * warps;
  const auto left_of = [&others](std::uint64_t slots) {
    const std::uint64_t taken = std::min(slots, others);
    others -= taken;
    return slots - taken;
  };
  const std::uint64_t allowed = first.grid->blocks_per_sm * warps;
  // Beside other grids, blocks are not spread evenly: an SM may get more than its share.
  const std::uint64_t reachable = std::max(first.grid->places, first.blocks) * warps;
  const Cycle cycles = now - last_;
  first.share.resource_limit += left_of(warp_slots_ - allowed) * cycles;
  first.share.small_grid += left_of(allowed - reachable) * cycles;
  const std::uint64_t free = left_of(reachable - first.blocks * warps);
  const Cycle split = std::clamp(first.tail_from, last_, now);
  first.share.launch_ramp += free * (split - last_);
  first.share.tail += free * (now - split);
}

}  // namespace heddle::sim
