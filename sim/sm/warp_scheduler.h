// A warp scheduling policy: which of the eligible warps of a sub-partition issues.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sim/sm/warp_set.h"

namespace heddle::sim {

/// What a policy chooses from.
struct Candidates {
  WarpSet eligible = 0;  ///< Warps that can issue; never empty.
  WarpSet memory =
      0;  ///< Of those, the ones whose next instruction goes to the MIO queue: loads, stores, shuffles.
  std::span<const WarpSet> older;  ///< By warp: the resident ones that started before it.

  // Warps mostly lie in the order of their ages, so that the first guess is right.

  /// The one of `warps`, not empty, that started first.
  [[nodiscard]] unsigned oldest(WarpSet warps) const {
    unsigned best = lowest(warps);
    while ((warps &= older[best]) != 0) best = lowest(warps);
    return best;
  }
  /// The one of `warps`, not empty, that started last.
  [[nodiscard]] unsigned youngest(WarpSet warps) const {
    unsigned best = highest(warps);
    while ((warps &= ~(older[best] | only(best))) != 0) best = highest(warps);
    return best;
  }
};

/// One object a sub-partition. Called once for each issued instruction; must depend on nothing but its
/// arguments and what it picked before, since cycles without an eligible warp are skipped.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;

  /// Picks one of the eligible warps.
  virtual unsigned pick(const Candidates& candidates) = 0;

  /// A warp has finished; another may come to live in its place.
  virtual void retired(unsigned) {}
};

struct SchedulerPolicy {
  std::string_view name;  ///< As in GPU files and --scheduler.
  std::string_view summary;
  std::unique_ptr<WarpScheduler> (*make)();
};

/// All policies, in the order in which they are listed.
std::span<const SchedulerPolicy> scheduler_policies();

/// Null if there is none of that name.
const SchedulerPolicy* find_scheduler_policy(std::string_view name);

}  // namespace heddle::sim
