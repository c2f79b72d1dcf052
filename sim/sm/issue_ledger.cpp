#include "sim/sm/issue_ledger.h"

#include <utility>

namespace heddle::sim {

void IssueLedger::activate(const Pipes& pipes, std::size_t count, Cycle now) {
  slots_until_ = now;
  for (std::size_t i = 0; i < count; ++i) {
    if (const Cycle busy = pipes.busy_beyond(i, now); busy != 0) of_grid(pipe_grid_[i]).pipe_busy[i] += busy;
  }
}

void IssueLedger::deactivate(GridSlot last, const Pipes& pipes, std::size_t count, Cycle now) {
  of_grid(last).issue_slots.no_warp += now - slots_until_;
  for (std::size_t i = 0; i < count; ++i) {
    if (const Cycle busy = pipes.busy_beyond(i, now); busy != 0) of_grid(pipe_grid_[i]).pipe_busy[i] -= busy;
  }
}

IssueCounters IssueLedger::counters(GridSlot grid) const {
  IssueCounters all;
  if (grid == grid_) {
    all = counters_;
  } else if (grid < others_.size()) {
    all = others_[grid];
  }
  all.stalls[ir::StallReason::NotSelected] += all.eligible_warp_cycles - all.issue_slots.issued;
  return all;
}

void IssueLedger::clear(GridSlot grid) {
  if (others_.size() <= grid) others_.resize(grid + std::size_t{1});
  of_grid(grid) = {};
}

std::uint64_t IssueLedger::issued() const {
  std::uint64_t issued = counters_.issue_slots.issued;
  for (const IssueCounters& other : others_) issued += other.issue_slots.issued;
  return issued;
}

/// No warp is resident: the counters that lie at hand become this grid's.
void IssueLedger::make_current(GridSlot grid) {
  is_mixed_ = false;
  if (grid == grid_) return;
  others_[grid_] = std::exchange(counters_, std::exchange(others_[grid], {}));
  grid_ = grid;
}

void IssueLedger::start(unsigned warp, GridSlot grid, Cycle from, bool is_alone) {
  if (is_alone) {
    make_current(grid);
    counters_.issue_slots.no_warp += from - slots_until_;
    slots_until_ = from;
  }
  if (grid != grid_) is_mixed_ = true;
  grid_of_[warp] = grid;
}

void IssueLedger::retire(unsigned warp, const WarpWait& wait, Cycle at, bool was_alone) {
  stall(warp, wait, at);
  if (!was_alone) return;
  of<Counting::AnyGrids>(warp).issue_slots.stalled[wait.demand.reason] += at - slots_until_;
  if (pcs_.is_on()) pcs_.lose(warp, warp, wait.demand.reason, at - slots_until_);
  slots_until_ = at;
}

}  // namespace heddle::sim
