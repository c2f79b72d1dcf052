// A device's time: quanta, each with its exchange, and the waiting for tasks between grids.
#include "sim/device/device.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace heddle::sim {

namespace {

constexpr std::uint64_t kQuantaBetweenProgress = 64;
constexpr Cycle kCyclesBetweenSpinChecks = Cycle{1} << 16;

/// The first cycle at or after `now` that is to be visited. Nothing happens before `first`, but the reference
/// mode visits each cycle, and an observer may have asked for samples of some.
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
    progress.blocks += grids[slot].blocks();
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
      quantum_(std::min<Cycle>(memory_.memory().shortest_round_trip(), spec.dispatch.block_launch)),
      results_(spec_) {
  streams_.add(0);
}

void Device::observe(Observer* observer, CycleRange samples) {
  tell_events(kNever);
  events_.set_observer(observer);
  sms_.watch().heard = events_.kinds();
  sms_.watch().samples = observer != nullptr ? samples : CycleRange();
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
  has_failed_ = true;  // cleared below if nothing throws
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

/// No grid runs: the clock goes on to the end of the next copy or host function of a stream.
void Device::wait_for_task() {
  const Cycle end = streams_.next_end();
  if (end == kNever) throw std::logic_error("a stream waits for what is not in any stream");
  now_ = std::max(now_, round_up(end, quantum_));
}

/// One quantum and its exchange. Cycles in which nothing happens are skipped, whole quanta too. But quanta
/// end at multiples of their length, whatever is skipped: what SMs tell one another in memory depends on
/// where quanta end. Only the cycle limit of a grid cuts one short.
void Device::step() {
  const Cycle first = std::min({sms_.next(), blocks_.next(), grids_.next_end(), streams_.next_end()});
  if (first == kNever) fail_deadlocked(grids_, sms_, now_);
  const Cycle begin = first_visit(sms_.watch(), now_, first);
  for (const GridSlot slot : grids_.order()) {
    if (grids_[slot].has_blocks() && begin >= grids_[slot].limit) fail_over_limit(grids_[slot], sms_);
  }
  const Cycle end = std::min(begin - begin % quantum_ + quantum_, grids_.first_limit());
  if (begin > now_) tell_events(begin);  // events of earlier quanta that were not due then
  sms_.run(begin, end);

  for (const GridSlot slot : grids_.order()) grids_[slot].source->commit_writes(team_);
  memory_.serve(begin, end);
  blocks_.take_finished();
  leave_out_blocks();
  blocks_.place(end);
  tell_events(end);

  const Cycle before = std::exchange(now_, end);
  if (now_ / kCyclesBetweenSpinChecks != before / kCyclesBetweenSpinChecks)
    spin_check_.look(grids_, sms_, blocks_.next() == kNever, now_);
  if (progress_ && ++quanta_ % kQuantaBetweenProgress == 0) progress_(progress_of(grids_, sms_, now_));
  end_grids();
}

/// Samplers see what has ended, and say what is left out of what comes.
void Device::leave_out_blocks() {
  for (const GridSlot slot : grids_.order()) {
    if (grids_[slot].sampler != nullptr) blocks_.leave_out(grids_[slot], memory_.memory());
  }
}

/// Tells the observer what happened before `end`.
void Device::tell_events(Cycle end) {
  if (!events_.is_heard()) return;
  for (const auto& sm : sms_) events_.take_from_sm(sm->events(), end);
  events_.tell_all();
}

}  // namespace heddle::sim
