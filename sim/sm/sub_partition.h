// A part of an SM, mostly a quarter: its share of the warps, a scheduler that issues one warp instruction a
// cycle, and pipes.
//
// A resident warp is waiting (for a known cycle, or blocked until told), or ready; of the ready ones, those
// whose class has a free pipe and room in its queue are eligible, and the policy picks one. Each warp-cycle
// is charged to exactly one of: selected, not_selected, or a stall reason; each issue slot to a warp
// instruction or a reason.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "isa/base/host_prefetch.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/ledger/sm_counters.h"
#include "sim/sm/class_timings.h"
#include "sim/sm/grid.h"
#include "sim/sm/pipes.h"
#include "sim/sm/ready_time.h"
#include "sim/sm/register_file.h"
#include "sim/sm/warp_pool.h"

namespace heddle::sim {

class SubPartition {
 public:
  /// At most kMostWarps of them.
  SubPartition(const SmSpec& spec, const ClassTimings& timings, unsigned warps);

  // -- the life of a warp
  // ------------------------------------------------------------------------------------
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

  // -- time
  // --------------------------------------------------------------------------------------------------
  /// The first cycle at which select() may have something to do.
  [[nodiscard]] Cycle next() const { return next_; }
  /// Picks the warp that issues at `now`, kNoWarp if none can, and takes its pipe. Calls come in the order of
  /// time; a call before next() changes nothing.
  unsigned select(Cycle now);
  // A number and no std::optional: the host waits where one is put together.
  static constexpr unsigned kNoWarp = ~0U;

  /// The instruction that a warp has issued at `now` reads its registers. The cycles by which they make it
  /// late, which it returns, are lost to the dispatcher, and its pipe is free so much later.
  Cycle read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now);

  /// The warpgroup product that the warp issued at `now` follows those before it through its pipe, which it
  /// keeps for so many cycles. Returns when it begins.
  Cycle queue_product(unsigned warp, Cycle now, Cycle cycles);

  /// The MIO queue has room, or has none any more. Seen by select() from `now` on.
  void set_mio_room(bool has_room, Cycle now);

  // -- for policies that watch L1 --------------------------------------------------------------------------
  /// What WarpScheduler is told under these names.
  void loaded(const LoadSeen& load);
  void lost(unsigned warp, std::uint64_t line);

  /// Says that it will run soon, in two steps. Only the host's speed can tell.
  void host_prefetch(PrefetchStep step) const;

  // -- after select(now), for who looks on
  // --------------------------------------------------------------------
  [[nodiscard]] bool issued_at(unsigned warp, Cycle now) const { return warps_[warp].since == now + 1; }
  /// Why a resident warp that did not issue at `now` did not.
  [[nodiscard]] ir::StallReason stall_of(unsigned warp, Cycle now) const;

  // -- accounting, by grid
  // -----------------------------------------------------------------------------------
  /// The SM has a resident block from `now` on, or none any more, the last one being of this grid. Slots
  /// without a warp belong to the grid whose warp comes next, those at the end to that of the last block.
  void activate(Cycle now);
  void deactivate(GridSlot last, Cycle now);

  struct Counters {
    IssueSlots issue_slots;
    StallCounts stalls;
    std::uint64_t eligible_warp_cycles = 0;
    std::array<std::uint64_t, kMostPipes + 1> pipe_busy{};
  };
  [[nodiscard]] Counters counters(GridSlot grid) const;
  /// The slot is another grid's from here on, for which nothing has been counted.
  void clear_counters(GridSlot grid);
  /// Warp instructions of all grids in whose slots nothing was cleared since.
  [[nodiscard]] std::uint64_t issued() const;

 private:
  struct WarpState {
    Cycle since = 0;  // the cycle after its last issue, or its start
    Cycle from = 0;   // since when it waits for demand.reason
    Cycle ready_at = 0;
    IssueDemand demand;  // of the next instruction; blocked in the cycles from `since` to `from`
  };

  /// What a warp was blocked by before what it is, or was last, blocked by.
  struct Blocked {
    unsigned warp;
    Cycle from;
    Cycle until;
    ir::StallReason reason;
  };

  /// Calls use(pool) with the pool that the warps are in.
  template <typename Use>
  decltype(auto) with_pool(Use use) {
    return wide_pool_ == nullptr ? use(pool_) : use(*wide_pool_);
  }
  template <typename Use>
  decltype(auto) with_pool(Use use) const {
    return wide_pool_ == nullptr ? use(pool_) : use(std::as_const(*wide_pool_));
  }

  /// `kMixed`: warps of several grids are resident. Most code of select() comes in both forms, so that it
  /// does not ask for it again and again.
  template <bool kMixed>
  [[nodiscard]] Counters& counters_of(unsigned warp) {
    if constexpr (!kMixed) return counters_;
    return counters_of_grid(grid_of_[warp]);
  }
  [[nodiscard]] Counters& counters_of(unsigned warp) {
    return is_mixed_ ? counters_of<true>(warp) : counters_of<false>(warp);
  }
  [[nodiscard]] Counters& counters_of_grid(GridSlot grid) {
    return grid == grid_ ? counters_ : others_[grid];
  }
  void make_current(GridSlot grid);
  template <bool kMixed, typename Set, typename Use>
  void for_each_grid(Set warps, const Use& use);
  static void charge_held(Counters& counters, ir::StallReason throttle, std::uint64_t cycles);
  void note_blocked(unsigned warp, Cycle now);
  unsigned select_unusual(Cycle now);
  template <bool kMixed, typename Set>
  unsigned select_from(WarpPool<Set>& pool, Cycle now);
  template <bool kMixed, typename Set>
  void wake(WarpPool<Set>& pool, Cycle now);
  [[nodiscard]] GroupSet ready_groups() const {
    return with_pool([](const auto& pool) { return pool.ready_groups(); });
  }
  template <bool kMixed, typename Set>
  void look(WarpPool<Set>& pool, Cycle now);
  template <bool kMixed, typename Set>
  Set find_open(const WarpPool<Set>& pool, GroupSet groups, Cycle now);
  [[nodiscard]] Cycle next_open() const;
  template <bool kMixed, typename Set>
  void charge_issue(const WarpPool<Set>& pool, unsigned warp, Cycle now);
  template <bool kMixed>
  void charge_lost_slots(unsigned warp, Cycle now);
  [[nodiscard]] ir::StallReason reason_of_others(unsigned warp) const;
  template <bool kMixed>
  void take_pipe(unsigned warp, Cycle now);
  template <bool kMixed>
  void charge_pipe(std::uint8_t pipe, unsigned warp, Cycle cycles);

  WarpPool<WarpSet> pool_;
  std::unique_ptr<WarpPool<WideWarpSet>> wide_pool_;  // instead of it, of warps that are too many for it
  Cycle looked_ = kNever;                             // when select() found those that can issue
  const ClassTimings* timings_;
  GroupSet roomless_ = 0;        // those that go to the MIO queue, while it is full
  std::uint8_t taken_pipe_ = 0;  // last
  Pipes pipes_;
  std::vector<WarpState> warps_;
  std::vector<Blocked> blocked_before_;
  RegisterFile registers_;
  Cycle held_until_ = 0;  // the dispatcher, from the last issue on
  Cycle next_ = kNever;
  Cycle slot_from_ = 0;  // up to here issue slots are charged
  // Mostly all resident warps are of one grid. Its counters lie here, those of others apart. Without
  // not_selected, which follows from the others.
  bool is_mixed_ = false;
  bool is_usual_;  // not, no wide pool, and a policy that bars no warp
  bool bars_;      // the policy may
  GridSlot grid_ = 0;
  Counters counters_;
  std::vector<Counters> others_;                      // by grid slot
  std::vector<GridSlot> grid_of_;                     // by warp
  std::array<GridSlot, kMostPipes + 1> pipe_grid_{};  // whose instruction was in it last
};

// Here, since each issue of the SM ends with one of them.

inline void SubPartition::wait(unsigned warp, Cycle now, ReadyTime ready, const ClassTiming& next) {
  WarpState& state = warps_[warp];
  const ir::StallReason blocked_by = state.demand.reason;  // if it was
  counters_of(warp).stalls[blocked_by] += now - state.from;
  state.from = now;
  schedule(warp, now, ready, next);
  state.demand.blocked_by = blocked_by;
  next_ = std::min(next_, state.ready_at);
}

[[gnu::always_inline]] inline void SubPartition::schedule(unsigned warp, Cycle now, ReadyTime ready,
                                                          const ClassTiming& next) {
  WarpState& state = warps_[warp];
  state.ready_at = std::max(ready.cycle(), now);
  state.demand = next.demand;
  state.demand.reason = ready.reason();
  with_pool([=, until = state.ready_at, group = next.demand.group](auto& pool) {
    pool.wait(warp, now, until, group);
  });
}

}  // namespace heddle::sim
