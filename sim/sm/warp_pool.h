// The warps of a sub-partition, as sets: who is resident, who is ready, whom the policy picks.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "isa/base/host_prefetch.h"
#include "isa/ir/timing_class.h"
#include "sim/sm/wake_wheel.h"
#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// Warps that wait or are ready lie by groups: those that the same pipes, or the same queue, can hold up.
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
    policy_->started(warp, older_[warp]);
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
  /// A warp that was not waiting, nor ready, waits to issue an instruction of the group.
  void wait(unsigned warp, Cycle now, Cycle until, unsigned group) {
    waiting_.add(now, until, warp, group);
    of_group_[group] |= only<Set>(warp);
  }
  /// Warps that have waited until `now` become ready; returns them.
  Set wake(Cycle now) {
    const auto due = waiting_.due(now);
    ready_ |= due.warps;
    ready_groups_ |= due.groups;
    return due.warps;
  }
  /// The first cycle from `now` on at which a waiting warp becomes ready.
  [[nodiscard]] Cycle first_end(Cycle now) const { return waiting_.next(now); }

  // -- ready warps -----------------------------------------------------------------------------------------
  void leave_ready(unsigned warp, unsigned group) {
    ready_ &= ~only<Set>(warp);
    of_group_[group] &= ~only<Set>(warp);
    ready_groups_ &= ~(GroupSet{ready(group) == 0} << group);
  }
  [[nodiscard]] Set ready(unsigned group) const { return ready_ & of_group_[group]; }
  /// The groups that have ready warps.
  [[nodiscard]] GroupSet ready_groups() const { return ready_groups_; }

  // -- ready warps that can issue --------------------------------------------------------------------------
  void set_candidates(Set memory, Set others, Cycle now) {
    candidates_.now = now;
    candidates_.eligible = memory | others;
    candidates_.memory = memory;
  }
  [[nodiscard]] Set eligible() const { return candidates_.eligible; }
  /// Whether the warp was eligible at `now`, if the candidates were set for that cycle.
  [[nodiscard]] bool was_eligible(unsigned warp, Cycle now) const {
    return candidates_.now == now && contains(candidates_.eligible, warp);
  }
  /// The policy picks one of the eligible warps. There must be one.
  unsigned pick() { return policy_->pick(candidates_); }

  // -- for policies that watch L1 --------------------------------------------------------------------------
  void loaded(const LoadSeen& load) { policy_->loaded(load); }
  void lost(unsigned warp, std::uint64_t line) { policy_->lost(warp, line); }
  /// Finds the warps that the policy vetoes from memory now.
  void update_vetoed(Cycle now) { vetoed_ = policy_->vetoed(now); }
  [[nodiscard]] Set vetoed() const { return vetoed_; }

  /// Prefetches, into the host's caches, what will be asked for. It changes no result.
  void host_prefetch() const {
    prefetch_bytes(older_.data(), older_.size() * sizeof(Set));
    prefetch_bytes(policy_.get(), 1);
  }

 private:
  std::unique_ptr<WarpScheduler<Set>> policy_;
  Set resident_ = 0;
  Candidates<Set> candidates_;
  static_assert(ir::kTimingClasses <= 8 * sizeof(GroupSet));
  std::array<Set, ir::kTimingClasses> of_group_{};  // warps that wait or are ready, by group
  Set ready_ = 0;
  Set vetoed_ = 0;
  GroupSet ready_groups_ = 0;
  WakeWheel<Set> waiting_;
  std::vector<Set> older_;  // by warp: the residents that started before it
};

}  // namespace heddle::sim
