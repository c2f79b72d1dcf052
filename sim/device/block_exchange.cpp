#include "sim/device/block_exchange.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/device/block_sampler.h"

namespace heddle::sim {

BlockExchange::BlockExchange(const GpuSpec& spec, SmArray& sms, RunningGrids& grids)
    : spec_(spec), sms_(sms), grids_(grids), scheduler_(spec) {}

void BlockExchange::launch(const RunningGrid& grid, int priority) {
  scheduler_.launch({grid.grid.id, grid.grid.slot, priority, grid.grid.shape.blocks(),
                     demand_of(grid.occupancy, grid.grid.shape.barriers_per_block),
                     grid.begin + spec_.dispatch.kernel_launch});
}

void BlockExchange::take_finished() {
  finished_.clear();
  for (SmId id = 0; id < sms_.size(); ++id) {
    for (const BlockEnd& block : sms_[id].finished_blocks()) finished_.push_back({id, block});
    sms_[id].finished_blocks().clear();
  }
  std::stable_sort(finished_.begin(), finished_.end(), [](const FinishedBlock& a, const FinishedBlock& b) {
    return std::tie(a.block.at, a.sm) < std::tie(b.block.at, b.sm);
  });
  for (const FinishedBlock& finished : finished_) {
    RunningGrid& grid = grids_[finished.block.grid];
    ++grid.blocks_done;
    grid.blocks_end = std::max(grid.blocks_end, finished.block.at);
    if (grid.sampler != nullptr) grid.sampler->block_ended(finished.block.at);
    scheduler_.block_ended(finished.sm, finished.block);
  }
}

void BlockExchange::leave_out(RunningGrid& grid, const L2AndDram& memory) {
  const GridSlot slot = grid.grid.slot;
  if (scheduler_.all_started(slot)) return;
  auto ranges = grid.sampler->decide(scheduler_.next_block(slot), memory.counters(slot), memory.l2());
  if (!ranges) return;
  scheduler_.hand_out(slot, std::move(*ranges));
  grid.left_out = grid.sampler->left_out();
}

/// Once a grid's last block's start is known, and before time gets there, all SMs are told.
void BlockExchange::place(Cycle now) {
  for (const BlockStartOrder& order : scheduler_.decide(now)) sms_[order.sm].schedule_block(order.start);
  for (const GridSlot slot : grids_.order()) {
    if (grids_[slot].tail_noted || !scheduler_.all_started(slot)) continue;
    for (const auto& sm : sms_) sm->set_tail(slot, scheduler_.last_start(slot));
    grids_[slot].tail_noted = true;
  }
}

}  // namespace heddle::sim
