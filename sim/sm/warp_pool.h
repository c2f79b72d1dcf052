// The warps of a sub-partition, as sets: who is resident, who is ready, whom the policy picks.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "isa/base/prefetch.h"
#include "isa/ir/timing_class.h"
#include "sim/sm/wake_wheel.h"
#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// Ready warps lie by groups: those that the same pipes, or the same queue, can hold up.
template <typename Set>
class WarpPool {
 public:
  WarpPool(const SchedulerPolicy& policy, unsigned warps) : policy_(policy.make<Set>()), older_(warps) {
    candidates_.older = older_;
  }

  // -- residents -------------------------------------------------------------------------------------------
  [[nodiscard]] bool is_empty() const { return resident_ == 0; }
  void start(unsigned warp) {
    older_[warp] = resident_;
    resident_ |= only<Set>(warp);
  }
  void retire(unsigned warp) {
    resident_ &= ~only<Set>(warp);
    for (Set& older : older_) older &= ~only<Set>(warp);
    policy_->retired(warp);
  }
  /// The lowest resident beside this one, if there is one.
  [[nodiscard]] std::optional<unsigned> another_than(unsigned warp) const {
    const Set others = resident_ & ~only<Set>(warp);
    if (others == 0) return std::nullopt;
    return lowest(others);
  }

  // -- waiting warps ---------------------------------------------------------------------------------------
  void wait(unsigned warp, Cycle now, Cycle until) { waiting_.add(now, until, warp); }
  /// Takes out those that have waited until `now`.
  Set waited(Cycle now) { return waiting_.due(now); }
  /// The first cycle from `now` on until which one waits.
  [[nodiscard]] Cycle first_end(Cycle now) const { return waiting_.next(now); }

  // -- ready warps -----------------------------------------------------------------------------------------
  void enter_ready(unsigned warp, unsigned group) { ready_[group] |= only<Set>(warp); }
  /// Says whether the group has others left.
  bool leave_ready(unsigned warp, unsigned group) { return (ready_[group] &= ~only<Set>(warp)) != 0; }
  [[nodiscard]] Set ready(unsigned group) const { return ready_[group]; }

  // -- those of them that can issue ------------------------------------------------------------------------
  void set_candidates(Set memory, Set others) {
    candidates_.eligible = memory | others;
    candidates_.memory = memory;
  }
  [[nodiscard]] Set eligible() const { return candidates_.eligible; }
  /// One of the eligible, of which there must be some.
  unsigned pick() { return policy_->pick(candidates_); }

  /// Says that it will be asked soon. Only the host's speed can tell.
  void announce() const {
    prefetch(older_.data(), older_.size() * sizeof(Set));
    prefetch(policy_.get(), 1);
  }

 private:
  std::unique_ptr<WarpScheduler<Set>> policy_;
  Set resident_ = 0;
  Candidates<Set> candidates_;
  std::array<Set, ir::kTimingClasses> ready_{};  // by group
  WakeWheel<Set> waiting_;
  std::vector<Set> older_;  // by warp: the residents that started before it
};

}  // namespace heddle::sim
