// A warp scheduling policy: which of the eligible warps of a sub-partition issues.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "sim/config/policies.h"
#include "sim/sm/warp_set.h"

namespace heddle::sim {

/// What a policy chooses from.
template <typename Set>
struct Candidates {
  Set eligible = 0;  ///< Warps that can issue; never empty.
  /// Eligible warps whose next instruction goes to the MIO queue: loads, stores, shuffles.
  Set memory = 0;
  Cycle now = 0;
  std::span<const Set> older;  ///< By warp: the resident ones that started before it.

  // Warps mostly lie in the order of their ages, so that the first guess is right.

  /// The one of `warps`, not empty, that started first.
  [[nodiscard]] unsigned oldest(Set warps) const {
    unsigned best = lowest(warps);
    while ((warps &= older[best]) != 0) best = lowest(warps);
    return best;
  }
  /// The one of `warps`, not empty, that started last.
  [[nodiscard]] unsigned youngest(Set warps) const {
    unsigned best = highest(warps);
    while ((warps &= ~(older[best] | only<Set>(best))) != 0) best = highest(warps);
    return best;
  }
};

/// A line of a load, as L1 has looked it up. Warps are named by their places in the sub-partition.
struct LoadSeen {
  Cycle now = 0;
  unsigned warp = 0;
  Pc pc = 0;  ///< The instruction that loads.
  std::uint64_t line = 0;
  std::uint32_t sectors = 0;  ///< How many sectors of the line are loaded.
  std::uint32_t missing = 0;  ///< How many of those L1 does not hold.
};

/// One object a sub-partition. Called once for each issued instruction; must depend on nothing but its
/// arguments and what it picked before, since cycles without an eligible warp are skipped.
template <typename Set>
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;

  /// Picks one of the eligible warps.
  virtual unsigned pick(const Candidates<Set>& candidates) = 0;

  /// A warp has started, after these.
  virtual void started(unsigned /*warp*/, Set /*older*/) {}
  /// A warp has finished; another may come to live in its place.
  virtual void retired(unsigned) {}

  // -- for policies that watch L1, whose class says kWatchesL1: the others are told nothing ----------------
  /// Comes before pick() in the same cycle.
  virtual void loaded(const LoadSeen&) {}
  /// L1 has evicted a line that the warp had brought in.
  virtual void lost(unsigned /*warp*/, std::uint64_t /*line*/) {}
  /// Warps that may not issue loads, stores and atomics of global and local memory now; not all of those that
  /// are resident. Their wait counts as lg_throttle.
  virtual Set vetoed(Cycle /*now*/) { return 0; }
};

/// A row of the table of policies. Its name is what --scheduler takes, too.
struct SchedulerPolicy : PolicyName {
  std::unique_ptr<WarpScheduler<WarpSet>> (*make_narrow)();
  std::unique_ptr<WarpScheduler<WideWarpSet>> (*make_wide)();
  bool watches_l1 = false;

  template <typename Set>
  [[nodiscard]] std::unique_ptr<WarpScheduler<Set>> make() const {
    if constexpr (std::is_same_v<Set, WarpSet>)
      return make_narrow();
    else
      return make_wide();
  }
};

/// All policies, in the order in which they are listed.
std::span<const SchedulerPolicy> scheduler_policies();

/// The policy of this name. Throws InputError, which lists the names, if there is none.
const SchedulerPolicy& scheduler_policy(std::string_view name);

}  // namespace heddle::sim
