// A part of an SM, mostly a quarter: its share of the warps, a scheduler that issues one warp instruction a
// cycle, and pipes.
//
//   WarpPools    which warps are resident, which are ready; the policy that picks
//   WarpWaits    what each warp has waited for since it issued last
//   Dispatcher   pipes, register banks, room in the MIO queue
//   IssueLedger  where each warp-cycle and each issue slot went
//
// A resident warp is waiting (for a known cycle, or blocked until told), or ready; of the ready ones, those
// whose class has a free pipe and room in its queue are eligible, and the policy picks one.
#pragma once

#include <algorithm>

#include "isa/base/host_prefetch.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/sm/class_timings.h"
#include "sim/sm/dispatcher.h"
#include "sim/sm/issue_ledger.h"
#include "sim/sm/ready_time.h"
#include "sim/sm/warp_pools.h"
#include "sim/sm/warp_waits.h"

namespace heddle::sim {

/// One sub-partition. Its SM tells it when warps wait, block and are ready, and has it select one in each
/// cycle in which it has something to do.
class SubPartition {
 public:
  /// At most kMostWarps of them.
  SubPartition(const SmSpec& spec, const ClassTimings& timings, unsigned warps);

  // -- the life of a warp -----------------------------------------------------------------------------------
  /// A warp of a grid starts at `from`, younger than all that are resident; wait() must follow.
  void start(unsigned warp, GridSlot grid, Cycle from);
  /// From `now` on the warp, which has started or was blocked, waits until `ready` to issue an instruction of
  /// `next`.
  void wait(unsigned warp, Cycle now, ReadyTime ready, const ClassTiming& next);
  /// The warp that was selected in the cycle before waits likewise.
  void schedule(unsigned warp, Cycle now, ReadyTime ready, const ClassTiming& next);
  /// From `now` on the warp waits for something whose end is not known: wait() ends it.
  void block(unsigned warp, Cycle now, ir::StallReason reason);
  /// The warp, which has issued its last instruction, is gone from `at` on; up to then it counts as blocked.
  void retire(unsigned warp, Cycle at);

  // -- time -------------------------------------------------------------------------------------------------
  /// The first cycle at which select() may have something to do.
  [[nodiscard]] Cycle next() const { return next_; }
  /// Picks the warp that issues at `now`, kNoWarp if none can, and takes its pipe. Calls come in the order of
  /// time; a call before next() changes nothing.
  unsigned select(Cycle now);
  // A number rather than a std::optional, which is slower to return.
  static constexpr unsigned kNoWarp = ~0U;

  /// The instruction that a warp has issued at `now` reads its registers; see Dispatcher.
  Cycle read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now);
  /// The warpgroup product that the warp issued at `now` keeps its pipe for so many cycles; see Dispatcher.
  Cycle queue_product(unsigned warp, Cycle now, Cycle cycles);
  /// The MIO queue has room, or has none any more. Seen by select() from `now` on.
  void set_mio_room(bool has_room, Cycle now);

  // -- for policies that watch L1: what WarpScheduler is told under these names -----------------------------
  void loaded(const LoadSeen& load);
  void lost(unsigned warp, std::uint64_t line);

  /// Prefetches, into the host's caches, what it will need, in two steps. It changes no result.
  void host_prefetch(PrefetchStep step) const;

  // -- after select(now), for observers and reports ---------------------------------------------------------
  [[nodiscard]] bool issued_at(unsigned warp, Cycle now) const { return waits_[warp].since == now + 1; }
  /// Why a resident warp that did not issue at `now` did not.
  [[nodiscard]] ir::StallReason stall_of(unsigned warp, Cycle now) const;

  // -- what is counted --------------------------------------------------------------------------------------
  [[nodiscard]] const IssueLedger& ledger() const { return ledger_; }
  /// As IssueLedger has them.
  void activate(Cycle now) { ledger_.activate(dispatcher_.pipes(), timings().pipes(), now); }
  void deactivate(GridSlot last, Cycle now) {
    ledger_.deactivate(last, dispatcher_.pipes(), timings().pipes(), now);
  }
  void clear_counters(GridSlot grid) { ledger_.clear(grid); }
  /// As PcStalls::count_in().
  void count_in(PcLedger* ledger, const WarpContext* first, unsigned stride, std::vector<StallSpan>* spans);

 private:
  [[nodiscard]] const ClassTimings& timings() const { return dispatcher_.timings(); }
  void choose_counting();
  unsigned select_general(Cycle now);
  template <Counting kCounting, typename Set>
  unsigned select_from(WarpPool<Set>& pool, Cycle now);
  template <Counting kCounting, typename Set>
  void wake(WarpPool<Set>& pool, Cycle now);
  template <Counting kCounting, typename Set>
  void find_eligible(WarpPool<Set>& pool, Cycle now);
  template <Counting kCounting, typename Set>
  Set with_free_pipe(const WarpPool<Set>& pool, GroupSet groups, Cycle now);
  template <Counting kCounting, typename Set>
  Set without_vetoed(const WarpPool<Set>& pool, unsigned group);

  WarpPools pools_;
  Cycle next_ = kNever;
  bool vetoes_;  // the policy may keep ready warps from memory
  // One grid, a narrow pool, a policy that vetoes no warp, and nothing is counted by instruction.
  bool is_fast_;
  Dispatcher dispatcher_;
  WarpWaits waits_;
  IssueLedger ledger_;
};

// Here, since each issue of the SM ends with one of them.

inline void SubPartition::wait(unsigned warp, Cycle now, ReadyTime ready, const ClassTiming& next) {
  WarpWait& wait = waits_[warp];
  const ir::StallReason blocked_by = wait.demand.reason;  // if it was
  ledger_.stall(warp, wait, now);
  wait.from = now;
  schedule(warp, now, ready, next);
  wait.demand.blocked_by = blocked_by;
  next_ = std::min(next_, wait.ready_at);
}

[[gnu::always_inline]] inline void SubPartition::schedule(unsigned warp, Cycle now, ReadyTime ready,
                                                          const ClassTiming& next) {
  const Cycle until = std::max(ready.cycle(), now);
  waits_.schedule(warp, until, ready.reason(), next);
  pools_.with([=, group = next.demand.group](auto& pool) { pool.wait(warp, now, until, group); });
}

}  // namespace heddle::sim
