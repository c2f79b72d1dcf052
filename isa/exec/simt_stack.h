// The SIMT stack of a warp: where the lanes wait that do not run.
//
// A divergent branch splits the running lanes in two; the fall-through path runs first, then the taken one;
// both stop at the reconvergence point, where the lanes run together again.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "isa/exec/running_path.h"

namespace heddle::exec {

/// The waiting paths of one warp, the next one to run on top. Paths holds one for each warp under
/// Divergence::Stack; entries are pushed where lanes part and popped where a path ends.
class SimtStack {
 public:
  void start() { waiting_.clear(); }

  [[nodiscard]] std::size_t records() const { return waiting_.size(); }

  void split(RunningPath& running, std::span<const BranchTarget> targets, Pc reconvergence) {
    reconvergence = enclose(running, reconvergence);
    running = {kNowhere, kNowhere, 0, running.live};
    for (auto target = targets.rbegin(); target != targets.rend(); ++target)
      push(running, *target, reconvergence);
    if (running.lanes == 0) arrive(running);
  }

  /// The same for two targets, both with lanes.
  void diverge(RunningPath& running, BranchTarget first, BranchTarget second, Pc reconvergence) {
    reconvergence = enclose(running, reconvergence);
    if (second.pc != reconvergence && first.pc != reconvergence)
      waiting_.push_back({second.pc, reconvergence, second.lanes});
    const BranchTarget target = first.pc != reconvergence ? first : second;
    running.pc = target.pc;
    running.reconvergence = reconvergence;
    running.lanes = target.lanes;
    if (target.pc == reconvergence) arrive(running);
  }

  /// Afterwards the running path is empty only if no lane lives.
  void exit(RunningPath& running, LaneMask /*lanes*/) {
    if (running.lanes == 0) arrive(running);
  }

  /// The running path has come to its end: the one below it goes on.
  void arrive(RunningPath& running) {
    while (!waiting_.empty()) {
      const Entry entry = waiting_.back();
      waiting_.pop_back();
      running = {entry.pc, entry.reconvergence, entry.lanes & running.live, running.live};
      if (running.lanes != 0 && running.pc != running.reconvergence) return;
    }
  }

  friend bool operator==(const SimtStack&, const SimtStack&) = default;

  [[nodiscard]] std::vector<Wait> waits(const RunningPath& running) const {
    std::vector<Wait> list;
    LaneMask above = running.lanes;
    for (auto entry = waiting_.rbegin(); entry != waiting_.rend(); ++entry) {
      const LaneMask lanes = entry->lanes & running.live & ~above;
      if (lanes != 0) list.push_back({lanes, entry->pc, above});
      above |= lanes;
    }
    return list;
  }

 private:
  /// A path that waits: where its lanes go on, and where they meet those below.
  struct Entry {
    Pc pc = 0;
    Pc reconvergence = kNowhere;
    LaneMask lanes = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// Makes an entry for where the running lanes meet, and says where that is. Where they meet nowhere, they
  /// are waited for where the enclosing paths meet. Lanes that meet where their parent's path ends are in the
  /// entry below already: this keeps the stack flat when lanes leave a loop one by one.
  Pc enclose(const RunningPath& running, Pc reconvergence) {
    if (reconvergence == kNowhere || reconvergence == running.reconvergence) return running.reconvergence;
    waiting_.push_back({reconvergence, running.reconvergence, running.lanes});
    return reconvergence;
  }

  void push(RunningPath& running, BranchTarget target, Pc reconvergence) {
    if (target.pc == reconvergence || target.lanes == 0) return;
    if (running.lanes != 0) waiting_.push_back({running.pc, running.reconvergence, running.lanes});
    running.pc = target.pc;
    running.reconvergence = reconvergence;
    running.lanes = target.lanes;
  }

  std::vector<Entry> waiting_;
};

}  // namespace heddle::exec
