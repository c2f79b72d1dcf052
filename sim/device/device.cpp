// A device's time: quanta, exchanges, launches, the end of waiting.
#include "sim/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "isa/base/diagnostic.h"
#include "sim/device/support.h"

namespace heddle::sim {

namespace {

constexpr std::uint64_t kQuantaBetweenProgress = 64;
constexpr Cycle kCyclesBetweenLooks = Cycle{1} << 16;  // for warps that spin for ever

/// Throws InputError with all instructions that the GPU does not have.
void require_instructions(const stream::KernelSource& kernel, const GpuSpec& spec) {
  const auto named = [&](Pc pc) {
    return NamedInstruction{{}, fmt::format("kernel {}: instruction {}", kernel.shape().kernel, pc)};
  };
  Diagnostics problems;
  require_support(kernel.static_ops(), spec, named, problems);
  problems.throw_if_any();
}

/// Where a quantum begins that could begin at `now`: nothing happens before `first`, but some cycles are
/// visited all the same.
Cycle first_visit(const SmWatch& watch, Cycle now, Cycle first) {
  if (watch.visit_every_cycle) return now;
  first = std::max(first, now);
  if (now >= watch.samples.until) return first;
  return std::min(first, std::max(now, watch.samples.from));
}

Progress progress_of(const RunningGrids& grids, const SmArray& sms, Cycle now) {
  Progress progress{now, 0, 0, 0};
  for (const GridSlot slot : grids.order()) {
    progress.blocks_done += grids[slot].blocks_done;
    progress.blocks += grids[slot].grid.shape.blocks();
  }
  for (const auto& sm : sms) progress.warp_instructions += issued(sm->view());
  return progress;
}

}  // namespace

Device::Device(const GpuSpec& spec, const DeviceOptions& options)
    : spec_(spec),
      team_(std::clamp(options.threads, 1U, spec.sms)),
      pc_ledgers_(team_.threads()),
      sms_(spec_, team_, pc_ledgers_, options.visit_every_cycle),
      grids_(spec_),
      memory_(spec_, team_, sms_, events_),
      blocks_(spec_, sms_, grids_),
      quantum_(std::min<Cycle>(memory_.memory().shortest_way(), spec.dispatch.block_launch)),
      results_(spec_) {
  streams_.add(0);
}

void Device::observe(Observer* observer, CycleRange samples) {
  tell_events(kNever);
  events_.set_observer(observer);
  sms_.watch().heard = events_.kinds();
  sms_.watch().samples = observer != nullptr ? samples : CycleRange();
}

GridId Device::submit(stream::KernelSource& kernel, StreamId stream, const LaunchOptions& options) {
  const Occupancy occupancy = theoretical_occupancy(spec_.occupancy, kernel.shape());
  require_instructions(kernel, spec_);
  const auto id = static_cast<GridId>(submitted_.size());
  submitted_.push_back({&kernel, stream, occupancy, options});
  streams_.launch(stream, id);
  return id;
}

// -- running ----------------------------------------------------------------------------------------------

void Device::run_until(GridId grid) {
  run_while_not([this, grid] { return has_ended(grid); });
}

void Device::run_until(EventId event) {
  run_while_not([this, event] { return time_of(event) != kNever; });
}

void Device::run_until_cycle(Cycle cycle) {
  run_while_not([this, cycle] { return now_ >= cycle || (grids_.are_none() && streams_.are_empty()); });
  if (now_ < cycle) now_ = round_up(cycle, quantum_);
}

void Device::run() {
  run_while_not([this] { return grids_.are_none() && streams_.are_empty(); });
}

template <typename Done>
void Device::run_while_not(Done done) {
  if (has_failed_) throw std::logic_error("a kernel has failed on this device: it can do nothing any more");
  has_failed_ = true;  // unless this comes to its end
  try {
    launch_grids();
    while (!done()) {
      if (grids_.are_none()) {
        wait_for_task();
      } else {
        step();
      }
      launch_grids();
    }
  } catch (...) {
    tell_events(kNever);
    throw;
  }
  has_failed_ = false;
}

/// While nothing runs on the SMs.
void Device::wait_for_task() {
  const Cycle end = streams_.next_end();
  if (end == kNever) throw std::logic_error("a stream waits for what is not in any stream");
  now_ = std::max(now_, round_up(end, quantum_));
}

/// One quantum and its exchange, from `now_` or, unless every cycle is visited, from when something happens.
/// It ends on the grid of quanta, however many are skipped: what SMs tell one another in memory depends on
/// where they end. Only a grid that must not go on ends one before. What grids write to memory in it acts
/// grid by grid.
void Device::step() {
  const Cycle first = std::min({sms_.next(), blocks_.next(), grids_.next_end(), streams_.next_end()});
  if (first == kNever) fail_deadlocked(grids_, sms_, now_);
  const Cycle begin = first_visit(sms_.watch(), now_, first);
  for (const GridSlot slot : grids_.order()) {
    if (grids_[slot].has_blocks() && begin >= grids_[slot].limit) fail_over_limit(grids_[slot], sms_);
  }
  const Cycle end = std::min(begin - begin % quantum_ + quantum_, grids_.first_limit());
  if (begin > now_) tell_events(begin);  // what has stayed of the last quantum
  sms_.run(begin, end);

  for (const GridSlot slot : grids_.order()) grids_[slot].source->exchange(team_);
  memory_.serve(begin, end);
  blocks_.take_finished();
  blocks_.place(end);
  tell_events(end);

  const Cycle before = std::exchange(now_, end);
  if (now_ / kCyclesBetweenLooks != before / kCyclesBetweenLooks)
    spin_check_.look(grids_, sms_, blocks_.next() == kNever, now_);
  if (progress_ && ++quanta_ % kQuantaBetweenProgress == 0) progress_(progress_of(grids_, sms_, now_));
  end_grids();
}

/// What has happened before `end`.
void Device::tell_events(Cycle end) {
  if (!events_.is_heard()) return;
  for (const auto& sm : sms_) events_.take_from_sm(sm->events(), end);
  events_.tell_all();
}

// -- grids ------------------------------------------------------------------------------------------------

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
