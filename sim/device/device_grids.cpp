// A device's grids: submitted to a stream, launched when their turn comes, ended when their blocks and stores
// are done.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/base/diagnostic.h"
#include "sim/device/device.h"
#include "sim/device/support.h"

namespace heddle::sim {

namespace {

/// Throws InputError with all instructions that the GPU does not have.
void require_instructions(const stream::KernelSource& kernel, const GpuSpec& spec) {
  const auto named = [&](Pc pc) {
    return NamedInstruction{{}, fmt::format("kernel {}: instruction {}", kernel.shape().kernel, pc)};
  };
  Diagnostics problems;
  require_support(kernel.static_ops(), spec, named, problems);
  problems.throw_if_any();
}

}  // namespace

GridId Device::submit(stream::KernelSource& kernel, StreamId stream, const LaunchOptions& options) {
  const Occupancy occupancy = theoretical_occupancy(spec_.occupancy, kernel.shape());
  require_instructions(kernel, spec_);
  const auto id = static_cast<GridId>(submitted_.size());
  submitted_.push_back({&kernel, stream, occupancy, options});
  streams_.launch(stream, id);
  return id;
}

void Device::launch_grids() {
  const std::vector<GridId> launchable = streams_.take_launchable(now_, kMostGrids - grids_.order().size());
  if (launchable.empty()) return;
  if (grids_.are_none()) {  // nothing has run for a while
    sms_.renew();
    blocks_.renew();
    memory_.memory().rest();
    spin_check_ = {};
    results_.begin(now_);
  }
  for (const GridId id : launchable) launch(id);
  blocks_.place(now_);
}

void Device::launch(GridId id) {
  const SubmittedGrid& submitted = submitted_[id];
  const RunningGrid& grid = grids_.launch(id, submitted, now_);
  const GridSlot slot = grid.grid.slot;
  memory_.memory().add_grid(slot, submitted.options.by_instruction);
  if (submitted.options.by_instruction) pc_ledgers_.add_grid(slot, grid.grid.instructions);
  sms_.add_grid(grid.grid, *grid.source);
  blocks_.launch(grid, streams_.priority(grid.stream));
}

/// The last stores of a grid may be on their way to memory when its blocks have ended; no warp waits for
/// them, but the launch does.
void Device::end_grids() {
  for (std::size_t i = 0; i < grids_.order().size();) {
    RunningGrid& grid = grids_[grids_.order()[i]];
    if (grid.end == kNever && !grid.has_blocks() && !sms_.hold(grid.grid.slot)) {
      grid.end = std::max(grid.blocks_end, memory_.memory().done_at(grid.grid.slot));
      if (grid.end > grid.limit) fail_over_limit(grid, sms_);
    }
    const bool is_alone = grids_.order().size() == 1;
    if (is_alone && grid.end != kNever) now_ = std::max(now_, round_up(grid.end, quantum_));
    if (grid.end <= now_) {
      end_grid(grid);
    } else {
      ++i;
    }
  }
}

void Device::end_grid(RunningGrid& grid) {
  const GridSlot slot = grid.grid.slot;
  if (&grid == &grids_.first()) {
    const bool is_alone = grids_.order().size() == 1;
    results_.charge_idle_sms(grid, sms_, is_alone ? grid.end : now_);
  }
  results_.end_grid(grid, sms_, memory_.memory(), pc_ledgers_);
  spin_check_.stop();
  sms_.remove_grid(slot);
  streams_.grid_ended(grid.stream, grid.end);
  grids_.remove(slot);
  if (grids_.are_none()) tell_events(kNever);
}

}  // namespace heddle::sim
