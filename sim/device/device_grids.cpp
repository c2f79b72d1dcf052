// Grids on a device: they are submitted, launched, counted, and end.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "isa/base/diagnostic.h"
#include "sim/device/device.h"
#include "sim/device/support.h"

namespace heddle::sim {

namespace {

/// All that the GPU does not have, at once.
void require_support(const stream::KernelSource& kernel, const GpuSpec& spec) {
  Diagnostics problems;
  for (const Unsupported& missing : unsupported(kernel.static_ops(), spec)) {
    problems.add({}, fmt::format("kernel {}: instruction {}: {}", kernel.shape().kernel, missing.first.pc,
                                 to_text(missing, spec)));
  }
  problems.throw_if_any();
}

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

GridId Device::submit(stream::KernelSource& kernel, StreamId stream, const LaunchOptions& options) {
  const Occupancy occupancy = theoretical_occupancy(spec_.occupancy, kernel.shape());
  require_support(kernel, spec_);
  const auto id = static_cast<GridId>(submitted_.size());
  submitted_.push_back({&kernel, stream, occupancy, options});
  streams_.launch(stream, id);
  return id;
}

// -- launches ---------------------------------------------------------------------------------------------

void Device::launch_grids() {
  const std::vector<GridId> launchable = streams_.take_launchable(now_, kMostGrids - order_.size());
  if (launchable.empty()) return;
  if (order_.empty()) wake();
  for (const GridId id : launchable) launch(id);
  place_blocks(now_);
}

/// Nothing has run for a while.
void Device::wake() {
  sms_.clear();
  for (SmId id = 0; id < spec_.sms; ++id) {
    sms_.push_back(std::make_unique<Sm>(spec_, timings_, watch_, id));
  }
  scheduler_ = BlockScheduler(spec_);
  memory_.rest();
  deadlock_watch_ = {};
  first_since_ = now_;
  std::fill(active_before_.begin(), active_before_.end(), Cycle{0});
}

void Device::launch(GridId id) {
  const SubmittedGrid& submitted = submitted_[id];
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
  grid.begin = now_;
  grid.limit = after(now_, submitted.options.max_cycles);
  grid.idle_sm.resize(spec_.sms);
  order_.push_back(slot);
  memory_.add_grid(slot, submitted.options.by_instruction);
  if (submitted.options.by_instruction) pc_ledgers_.add_grid(slot, grid.grid.instructions);
  for (SmId sm = 0; sm < spec_.sms; ++sm) {
    sms_[sm]->add_grid(grid.grid, grid.source->make_warp_source(sm, spec_.occupancy.max_warps));
  }
  scheduler_.launch({id, slot, streams_.priority(grid.stream), grid.grid.shape.blocks(),
                     demand_of(grid.occupancy, grid.grid.shape.barriers_per_block),
                     now_ + spec_.dispatch.kernel_launch});
}

GridSlot Device::free_slot() const {
  const auto is_free = [](const std::unique_ptr<RunningGrid>& grid) { return grid == nullptr; };
  return static_cast<GridSlot>(std::find_if(running_.begin(), running_.end(), is_free) - running_.begin());
}

// -- ends -------------------------------------------------------------------------------------------------

/// The last stores of a grid may be on their way to memory when its blocks have ended; no warp waits for
/// them, but the launch does.
void Device::end_grids() {
  for (std::size_t i = 0; i < order_.size();) {
    RunningGrid& grid = *running_[order_[i]];
    note_end(grid);
    if (order_.size() == 1 && grid.end != kNever) now_ = std::max(now_, round_up(grid.end, quantum_));
    if (grid.end <= now_) {
      end_grid(grid);
    } else {
      ++i;
    }
  }
}

/// If it has become known.
void Device::note_end(RunningGrid& grid) const {
  if (grid.end != kNever || grid.has_blocks() || !is_drained(grid)) return;
  grid.end = std::max(grid.blocks_end, memory_.done_at(grid.grid.slot));
  if (grid.end > grid.limit) fail_over_limit(grid);
}

/// Nothing of it is under way.
bool Device::is_drained(const RunningGrid& grid) const {
  return std::none_of(sms_.begin(), sms_.end(),
                      [&](const std::unique_ptr<Sm>& sm) { return sm->holds(grid.grid.slot); });
}

void Device::end_grid(RunningGrid& grid) {
  const GridSlot slot = grid.grid.slot;
  if (order_.front() == slot) charge_idle_sms(order_.size() == 1 ? grid.end : now_);
  GridRun run;
  run.begin = grid.begin;
  run.result.launch = grid.grid.shape;
  run.result.occupancy = grid.occupancy;
  run.result.cycles = grid.end - grid.begin;
  run.result.blocks_end = grid.blocks_end - grid.begin;
  run.result.sms = counters_of(grid);
  for (std::size_t sm = 0; sm < run.result.sms.size(); ++sm) {
    const SmCounters& counters = run.result.sms[sm];
    run.result.total += counters;
    const Cycle active = totals_.sms[sm].active_cycles;
    totals_.sms[sm] += counters;
    totals_.sms[sm].active_cycles = active;
  }
  MemoryCounters memory = memory_.counters(slot);
  memory.dram_late_bytes =
      std::min(memory.dram_bytes(), memory_.dram_bytes_after(grid.end));  // the grid's own, if it was alone
  run.result.total.memory += memory;
  run.result.by_pc = pc_ledgers_.take_grid(slot, spec_.occupancy.warp_size);
  if (submitted_[grid.grid.id].options.by_instruction && !pc_ledgers_.are_wanted()) {
    for (const auto& sm : sms_) sm->count_in(nullptr);
  }
  const std::vector<MemoryCounters>& memory_by_pc = memory_.counters_by_pc(slot);
  for (std::size_t pc = 0; pc < memory_by_pc.size(); ++pc) run.result.by_pc[pc].memory += memory_by_pc[pc];
  const Cycle active = totals_.total.active_cycles;
  totals_.total += run.result.total;
  totals_.total.active_cycles = active;

  deadlock_watch_.stop();
  for (const auto& sm : sms_) sm->remove_grid(slot);
  streams_.grid_ended(grid.stream, grid.end);
  std::erase(order_, slot);
  if (order_.empty()) tell_events(kNever);
  ended_.emplace(grid.grid.id, std::move(run));
  running_[slot].reset();
}

/// The first of the grids that run has been the first up to now: what SMs did not have a block in this time
/// is its loss.
void Device::charge_idle_sms(Cycle end) {
  const Cycle cycles = end - first_since_;
  totals_.cycles += cycles;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    const Cycle active = sms_[sm]->active_cycles(end);
    const Cycle active_meanwhile = active - std::exchange(active_before_[sm], active);
    totals_.sms[sm].active_cycles += active_meanwhile;
    totals_.total.active_cycles += active_meanwhile;
    first_running().idle_sm[sm] += spec_.occupancy.max_warps * (cycles - active_meanwhile);
  }
  first_since_ = end;
}

std::vector<SmCounters> Device::counters_of(const RunningGrid& grid) const {
  std::vector<SmCounters> sms;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    sms.push_back(sms_[sm]->counters(grid.grid.slot));
    sms.back().warp_slots[WarpSlotPart::IdleSm] = grid.idle_sm[sm];
  }
  return sms;
}

GridRun Device::take_result(GridId grid) {
  GridRun run = std::move(ended_.at(grid));
  ended_.erase(grid);
  return run;
}

}  // namespace heddle::sim
