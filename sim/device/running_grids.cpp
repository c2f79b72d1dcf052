#include "sim/device/running_grids.h"

#include <algorithm>
#include <stdexcept>

#include "sim/device/block_sampler.h"

namespace heddle::sim {

namespace {

Grid make_grid(GridId id, GridSlot slot, const stream::KernelSource& kernel, const GpuSpec& spec,
               const Occupancy& occupancy) {
  Grid grid;
  grid.id = id;
  grid.slot = slot;
  grid.shape = kernel.shape();
  grid.instructions = kernel.static_ops().size();
  grid.blocks_per_sm = occupancy.blocks_per_sm;
  grid.places = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(occupancy.blocks_per_sm, divide_up(grid.shape.blocks(), spec.sms)));
  grid.l1_bytes = spec.l1.unified_bytes -
                  std::min(spec.l1.unified_bytes, occupancy.shared_carveout + spec.l1.reserved_bytes);
  return grid;
}

/// `cycles` after `from`, or never.
Cycle after(Cycle from, Cycle cycles) { return cycles > kNever - from ? kNever : from + cycles; }

}  // namespace

GridSlot RunningGrids::free_slot() const {
  const auto is_free = [](const std::unique_ptr<RunningGrid>& grid) { return grid == nullptr; };
  return static_cast<GridSlot>(std::find_if(running_.begin(), running_.end(), is_free) - running_.begin());
}

RunningGrid& RunningGrids::launch(GridId id, const SubmittedGrid& submitted, Cycle now) {
  const auto has_same = [&](GridSlot slot) { return running_[slot]->source == submitted.source; };
  if (std::any_of(order_.begin(), order_.end(), has_same))
    throw std::logic_error("two grids at once cannot have one source");
  const GridSlot slot = free_slot();
  if (running_.size() <= slot) running_.resize(slot + std::size_t{1});
  running_[slot] = std::make_unique<RunningGrid>();
  RunningGrid& grid = *running_[slot];
  grid.grid = make_grid(id, slot, *submitted.source, spec_, submitted.occupancy);
  grid.source = submitted.source;
  grid.stream = submitted.stream;
  grid.occupancy = submitted.occupancy;
  grid.begin = now;
  grid.limit = after(now, submitted.options.max_cycles);
  grid.idle_sm.resize(spec_.sms);
  grid.sampler = submitted.options.sampler;
  if (grid.sampler != nullptr) grid.sampler->begin(grid.grid.shape.blocks(), grid.occupancy, spec_);
  order_.push_back(slot);
  if (order_.size() > 1) {
    for (const GridSlot each : order_) running_[each]->ran_beside_others = true;
  }
  return grid;
}

void RunningGrids::remove(GridSlot slot) {
  std::erase(order_, slot);
  running_[slot].reset();
}

Cycle RunningGrids::next_end() const {
  Cycle next = kNever;
  for (const GridSlot slot : order_) next = std::min(next, running_[slot]->end);
  return next;
}

Cycle RunningGrids::first_limit() const {
  Cycle first = kNever;
  for (const GridSlot slot : order_) {
    if (running_[slot]->has_blocks()) first = std::min(first, running_[slot]->limit);
  }
  return first;
}

}  // namespace heddle::sim
