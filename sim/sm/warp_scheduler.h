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
  /// Of those, the ones whose next instruction goes to the MIO queue: loads, stores, shuffles.
  Set memory = 0;
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

/// One object a sub-partition. Called once for each issued instruction; must depend on nothing but its
/// arguments and what it picked before, since cycles without an eligible warp are skipped.
template <typename Set>
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;

  /// Picks one of the eligible warps.
  virtual unsigned pick(const Candidates<Set>& candidates) = 0;

  /// A warp has finished; another may come to live in its place.
  virtual void retired(unsigned) {}
};

/// The name is that of --scheduler, too.
struct SchedulerPolicy : PolicyName {
  std::unique_ptr<WarpScheduler<WarpSet>> (*make_usual)();
  std::unique_ptr<WarpScheduler<WideWarpSet>> (*make_wide)();

  template <typename Set>
  [[nodiscard]] std::unique_ptr<WarpScheduler<Set>> make() const {
    if constexpr (std::is_same_v<Set, WarpSet>)
      return make_usual();
    else
      return make_wide();
  }
};

/// All policies, in the order in which they are listed.
std::span<const SchedulerPolicy> scheduler_policies();

/// That of a name. Throws InputError, which says what there is, if there is none.
const SchedulerPolicy& scheduler_policy(std::string_view name);

}  // namespace heddle::sim
