// What a sub-partition counts, by grid and, where that is asked for, by instruction: each warp-cycle is
// charged to exactly one of selected, not_selected, or a stall reason; each issue slot to a warp instruction
// or what it was lost to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/ledger/sm_counters.h"
#include "sim/sm/grid.h"
#include "sim/sm/pc_stalls.h"
#include "sim/sm/pipes.h"
#include "sim/sm/warp_pool.h"
#include "sim/sm/warp_waits.h"

namespace heddle::sim {

/// How a cycle is counted. Most of the code of an issue comes in all forms, so that it does not ask for it
/// again and again.
enum class Counting : std::uint8_t {
  OneGrid,         ///< Whole sets of warps at once.
  OneGridAndPcs,   ///< By instruction, too.
  AnyGrids,        ///< Warps of several grids may be resident, and the policy may veto some.
  AnyGridsAndPcs,  ///< By instruction, too.
};

constexpr bool counts_pcs(Counting counting) {
  return counting == Counting::OneGridAndPcs || counting == Counting::AnyGridsAndPcs;
}

constexpr bool takes_any_grids(Counting counting) {
  return counting == Counting::AnyGrids || counting == Counting::AnyGridsAndPcs;
}

/// What a sub-partition has counted for one grid.
struct IssueCounters {
  IssueSlots issue_slots;
  StallCounts stalls;
  std::uint64_t eligible_warp_cycles = 0;
  std::array<std::uint64_t, kMostPipes + 1> pipe_busy{};
};

/// The ledger of one sub-partition. It is written where a warp starts, waits, issues or retires; a cycle in
/// which nothing happens costs nothing.
class IssueLedger {
 public:
  explicit IssueLedger(unsigned warps) : grid_of_(warps) {}

  /// Whether warps of several grids are resident.
  [[nodiscard]] bool is_mixed() const { return is_mixed_; }
  [[nodiscard]] PcStalls& pcs() { return pcs_; }
  [[nodiscard]] const PcStalls& pcs() const { return pcs_; }
  /// The cycle up to which issue slots are charged.
  [[nodiscard]] Cycle slots_until() const { return slots_until_; }

  // -- grids ------------------------------------------------------------------------------------------------
  /// The SM has a resident block from `now` on, or none any more, the last one being of this grid. Slots
  /// without a warp belong to the grid whose warp comes next, those at the end to that of the last block.
  /// Pipes, the first so many, were counted as busy until they are free; they are not while nothing is
  /// resident.
  void activate(const Pipes& pipes, std::size_t count, Cycle now);
  void deactivate(GridSlot last, const Pipes& pipes, std::size_t count, Cycle now);
  [[nodiscard]] IssueCounters counters(GridSlot grid) const;
  /// Clears the counters of the slot, which another grid gets.
  void clear(GridSlot grid);
  /// Warp instructions of all grids in whose slots nothing was cleared since.
  [[nodiscard]] std::uint64_t issued() const;

  // -- warps ------------------------------------------------------------------------------------------------
  void start(unsigned warp, GridSlot grid, Cycle from, bool is_alone);
  /// The warp has been blocked up to then.
  void stall(unsigned warp, const WarpWait& wait, Cycle until) {
    of<Counting::AnyGrids>(warp).stalls[wait.demand.reason] += until - wait.from;
    if (pcs_.is_on()) pcs_.stall(warp, wait, until);
  }
  /// Ends a warp, which is gone from `at` on. If it was alone, the slots since the last issue are lost to
  /// what it waited for.
  void retire(unsigned warp, const WarpWait& wait, Cycle at, bool was_alone);

  // -- the cycles of ready warps ----------------------------------------------------------------------------
  /// The dispatcher, not what their group waits for, holds these up for so many cycles.
  template <Counting kCounting, typename Set>
  void hold(Set ready, ir::StallReason throttle, Cycle cycles);
  /// These find a pipe at this cycle: they are not throttled, which issue() takes them for.
  template <Counting kCounting, typename Set>
  void note_open(Set ready, ir::StallReason throttle);
  /// The warp issues. Charges the cycles in which it waited for its operands, then, ready, for a pipe or
  /// room; and the issue slots since the last issue. The warps that could have issued in its place are only
  /// counted.
  template <Counting kCounting, typename Set>
  void issue(const WarpPool<Set>& pool, const WarpWaits& waits, unsigned warp, Cycle held_until, Cycle now);
  /// The warp's instruction is in the pipe, for so many cycles.
  template <Counting kCounting>
  void keep_pipe(std::uint8_t pipe, unsigned warp, Cycle cycles) {
    pipe_grid_[pipe] = mixed<kCounting>() ? grid_of_[warp] : grid_;
    of<kCounting>(warp).pipe_busy[pipe] += cycles;
  }

 private:
  template <Counting kCounting>
  [[nodiscard]] bool mixed() const {
    return takes_any_grids(kCounting) && is_mixed_;
  }
  template <Counting kCounting>
  [[nodiscard]] IssueCounters& of(unsigned warp) {
    return mixed<kCounting>() ? of_grid(grid_of_[warp]) : counters_;
  }
  [[nodiscard]] IssueCounters& of_grid(GridSlot grid) { return grid == grid_ ? counters_ : others_[grid]; }
  template <Counting kCounting, typename Set, typename Use>
  void for_each_grid(Set warps, const Use& use);
  void make_current(GridSlot grid);
  template <Counting kCounting, typename Set>
  void lose_slots(const WarpPool<Set>& pool, const WarpWaits& waits, unsigned warp, PcCounters* of_pc,
                  Cycle held_until, Cycle now);

  Cycle slots_until_ = 0;
  // Mostly all resident warps are of one grid. Its counters lie here, those of others apart. Without
  // not_selected, which follows from the others.
  bool is_mixed_ = false;
  GridSlot grid_ = 0;
  IssueCounters counters_;
  std::vector<IssueCounters> others_;                 // by grid slot
  std::vector<GridSlot> grid_of_;                     // by warp
  std::array<GridSlot, kMostPipes + 1> pipe_grid_{};  // whose instruction was in it last
  PcStalls pcs_;
};

// Here, since each cycle of an SM runs through them.

/// Calls use(counters, count) for each grid that has some of the warps, with how many.
template <Counting kCounting, typename Set, typename Use>
[[gnu::always_inline]] inline void IssueLedger::for_each_grid(Set warps, const Use& use) {
  if (mixed<kCounting>()) {
    for_each_warp(warps, [&](unsigned warp) { use(of_grid(grid_of_[warp]), 1U); });
  } else {
    use(counters_, warp_count(warps));
  }
}

template <Counting kCounting, typename Set>
void IssueLedger::hold(Set ready, ir::StallReason throttle, Cycle cycles) {
  for_each_grid<kCounting>(ready, [=](IssueCounters& counters, unsigned count) {
    counters.stalls[ir::StallReason::DispatchStall] += count * cycles;
    counters.stalls[throttle] -= count * cycles;
  });
}

template <Counting kCounting, typename Set>
[[gnu::always_inline]] inline void IssueLedger::note_open(Set ready, ir::StallReason throttle) {
  for_each_grid<kCounting>(
      ready, [=](IssueCounters& counters, unsigned count) { counters.stalls[throttle] -= count; });
}

template <Counting kCounting, typename Set>
[[gnu::always_inline]] inline void IssueLedger::issue(const WarpPool<Set>& pool, const WarpWaits& waits,
                                                      unsigned warp, Cycle held_until, Cycle now) {
  const WarpWait& wait = waits[warp];
  PcCounters* const of_pc = counts_pcs(kCounting) ? pcs_.find(warp) : nullptr;
  if (slots_until_ != now) lose_slots<kCounting>(pool, waits, warp, of_pc, held_until, now);
  slots_until_ = now + 1;
  if (of_pc != nullptr) pcs_.issue(*of_pc, warp, wait, now);
  IssueCounters& counters = of<kCounting>(warp);
  ++counters.issue_slots.issued;
  counters.stalls[wait.demand.reason] += wait.ready_at - wait.from;
  counters.stalls[wait.demand.throttle] += now + 1 - wait.ready_at;
  for_each_grid<kCounting>(pool.eligible(),
                           [](IssueCounters& each, unsigned count) { each.eligible_warp_cycles += count; });
}

/// The slots since the last issue are lost to what this warp waited for; where it had not started yet, to
/// what another one waits for.
template <Counting kCounting, typename Set>
[[gnu::always_inline]] inline void IssueLedger::lose_slots(const WarpPool<Set>& pool, const WarpWaits& waits,
                                                           unsigned warp, PcCounters* of_pc, Cycle held_until,
                                                           Cycle now) {
  StallCounts& lost = of<kCounting>(warp).issue_slots.stalled;
  const Cycle before =
      waits.split(warp, slots_until_, now, held_until, [&](ir::StallReason reason, Cycle slots) {
        lost[reason] += slots;
        if (of_pc != nullptr) of_pc->lost_slots[reason] += slots;
      });
  if (before == 0) return;
  const unsigned another = pool.another_than(warp).value_or(warp);
  const ir::StallReason reason = waits[another].demand.reason;
  lost[reason] += before;
  if constexpr (counts_pcs(kCounting)) pcs_.lose(warp, another, reason, before);
}

}  // namespace heddle::sim
