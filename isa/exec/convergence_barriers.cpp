#include "isa/exec/convergence_barriers.h"

#include <algorithm>
#include <utility>

namespace heddle::exec {

void ConvergenceBarriers::start() {
  ready_.clear();
  waiters_.clear();
  barriers_.clear();
  inner_ = kNone;
  rounds_ = 0;
  yielded_ = 0;
}

void ConvergenceBarriers::split(RunningPath& running, std::span<const BranchTarget> targets,
                                Pc reconvergence) {
  Path path = take_running(running, running.pc);
  // Lanes that meet where those around them do are members there already. This keeps barriers few when lanes
  // leave a loop one by one.
  if (reconvergence != kNowhere && reconvergence != running.reconvergence) {
    path.inner = barriers_.make({.members = path.lanes, .reconvergence = reconvergence, .outer = path.inner});
  }
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    if (target->lanes != 0) add({target->pc, target->lanes, path.inner});
  }
  run_next(running);
}

void ConvergenceBarriers::exit(RunningPath& running, LaneMask lanes) {
  for (Index index = 0; index < barriers_.size(); ++index) remove(index, lanes);
  if (running.lanes == 0) run_next(running);
}

void ConvergenceBarriers::arm(unsigned name, LaneMask lanes) {
  leave(name, lanes);
  if (lanes != 0) barriers_.make({.name = name, .members = lanes});
}

void ConvergenceBarriers::leave(unsigned name, LaneMask lanes) {
  for (Index index = 0; index < barriers_.size(); ++index) {
    if (barriers_[index].name == name) remove(index, lanes & ~barriers_[index].kept);
  }
}

LaneMask ConvergenceBarriers::restore(unsigned name, LaneMask lanes, const std::uint32_t* kept) {
  leave(name, lanes);
  return barriers_.restore(name, lanes, kept);
}

/// Lanes that are not members go on.
void ConvergenceBarriers::sync(RunningPath& running, unsigned name, LaneMask lanes, Pc next) {
  const Path path = take_running(running, next);
  LaneMask free = path.lanes;
  for (const Barrier& barrier : barriers_) {
    if (barrier.name == name) free &= ~(barrier.named() & lanes);
  }
  if (free != 0) add({next, free, path.inner});
  LaneMask left = path.lanes & ~free;
  for (Index index = 0; left != 0; ++index) {
    if (barriers_[index].name != name) continue;
    const LaneMask part = barriers_[index].named() & left;
    left &= ~part;
    if (part != 0) wait(index, {next, part, path.inner});
  }
  run_next(running);
}

void ConvergenceBarriers::gather(RunningPath& running, BranchTarget group, LaneMask lanes, Pc next) {
  const Path path = take_running(running, next);
  if (path.lanes != lanes) add({next, path.lanes & ~lanes, path.inner});
  if (lanes != 0) {
    const Index index = barriers_.find_gather({group.pc, group.lanes & running.live}, lanes);
    wait(index, {next, lanes, path.inner});
  }
  run_next(running);
}

/// Every other path that can run has its turn first.
void ConvergenceBarriers::give_way(RunningPath& running) {
  ++turns_;
  rounds_ = 0;
  ready_.insert(ready_.begin(), take_running(running, running.pc));
  run_next(running);
}

bool ConvergenceBarriers::yield(RunningPath& running) {
  if (const Index index = barriers_.awaited_around(inner_); index != kNone) release(index);
  if (ready_.empty()) {
    ++turns_;
    return false;
  }
  give_way(running);
  return true;
}

// Who was not there stays a member: those who leave a loop later meet at its BSYNC. Whether a GPU forgets
// them is not published.
bool ConvergenceBarriers::yield_by_instruction(RunningPath& running) {
  yielded_ |= running.lanes;
  for (Index index = 0; index < barriers_.size(); ++index) {
    const Barrier& barrier = barriers_[index];
    const bool is_register = barrier.name < kImplicit;
    if (is_register && barrier.waiting != 0 && (barrier.members & ~barrier.waiting & ~yielded_) == 0)
      release(index);
  }
  const bool has_given_way = yield(running);
  yielded_ &= ~running.lanes;
  return has_given_way;
}

std::vector<Wait> ConvergenceBarriers::waits(const RunningPath& /*running*/) const {
  std::vector<Wait> list;
  for (const Waiter& waiter : waiters_) {
    const Barrier& barrier = barriers_[waiter.barrier];
    const Pc pc = barrier.reconvergence != kNowhere ? barrier.reconvergence
                                                    : waiter.path.pc - 1;  // BSYNC is behind them
    list.push_back({waiter.path.lanes, pc, barrier.members & ~barrier.waiting});
  }
  return list;
}

void ConvergenceBarriers::arrive(RunningPath& running) {
  const Path path = take_running(running, running.pc);
  wait(path.inner, path);
  run_next(running);
}

/// The running path, no longer running; its lanes go on at `pc`.
ConvergenceBarriers::Path ConvergenceBarriers::take_running(RunningPath& running, Pc pc) {
  const Path path{pc, running.lanes, inner_};
  running.lanes = 0;
  return path;
}

/// Lets the path run whose turn it is. Where all wait, some are let go who need not.
void ConvergenceBarriers::run_next(RunningPath& running) {
  if (ready_.empty() && !let_any_go()) return;
  const Path path = ready_.back();
  ready_.pop_back();
  running.pc = path.pc;
  running.reconvergence = path.inner == kNone ? kNowhere : barriers_[path.inner].reconvergence;
  running.lanes = path.lanes;
  yielded_ &= ~path.lanes;
  inner_ = path.inner;
}

/// The path is to run next, or waits if it stands where it is waited for.
void ConvergenceBarriers::add(const Path& path) {
  if (path.inner != kNone && barriers_[path.inner].reconvergence == path.pc) {
    wait(path.inner, path);
  } else {
    ready_.push_back(path);
  }
}

void ConvergenceBarriers::wait(Index index, const Path& path) {
  barriers_[index].waiting |= path.lanes;
  waiters_.push_back({path, index});
  remove(index, 0);
}

/// Takes lanes that do not wait there out of a barrier, which may be the last that it waited for.
void ConvergenceBarriers::remove(Index index, LaneMask lanes) {
  Barrier& barrier = barriers_[index];
  barrier.members &= ~lanes;
  barrier.kept &= ~lanes;
  if (barrier.is_complete()) let_go(index);
}

/// Those who wait there go on, as one path if they stand at one place, and are no members any more.
void ConvergenceBarriers::let_go(Index index) {
  Barrier& barrier = barriers_[index];
  barrier.members &= ~barrier.waiting;
  barrier.waiting = 0;
  std::vector<Path> paths = std::exchange(spare_, {});
  for (const Waiter& waiter : waiters_) {
    if (waiter.barrier != index) continue;
    Path path = waiter.path;
    if (path.inner == index) path.inner = barrier.outer;
    join(paths, path);
  }
  std::erase_if(waiters_, [index](const Waiter& waiter) { return waiter.barrier == index; });
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
    if (barrier.name != kImplicit) leave_inner(*path);
    add(*path);
  }
  paths.clear();
  spare_ = std::move(paths);
}

void ConvergenceBarriers::join(std::vector<Path>& paths, const Path& path) const {
  for (Path& other : paths) {
    if (other.pc != path.pc) continue;
    other.lanes |= path.lanes;
    other.inner = barriers_.common(other.inner, path.inner);
    return;
  }
  paths.push_back(path);
}

/// Lanes that met within implicit barriers of their own have run past those.
void ConvergenceBarriers::leave_inner(const Path& path) {
  for (Index index = 0; index < barriers_.size(); ++index) {
    if (barriers_[index].name == kImplicit && !barriers_.lies_within(path.inner, index))
      remove(index, path.lanes);
  }
}

/// Those who wait there go on though not all have come.
void ConvergenceBarriers::release(Index index) {
  ++releases_;
  let_go(index);
}

/// Where all lanes wait: lets those go on who wait for nothing but convergence. False if there are none.
bool ConvergenceBarriers::let_any_go() {
  for (Index index = 0; index < barriers_.size() && ready_.empty(); ++index) {
    if (barriers_[index].name == kImplicit && barriers_[index].waiting != 0) release(index);
  }
  return !ready_.empty();
}

}  // namespace heddle::exec
