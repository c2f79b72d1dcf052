// A warp scheduling policy: which of the eligible warps of a sub-partition issues.
#pragma once

#include <algorithm>
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
  std::span<const std::uint8_t> oldest_first;  ///< All resident warps, in the order in which they started.

  /// The one of `warps`, not empty, that started first.
  [[nodiscard]] unsigned oldest(WarpSet warps) const {
    if (const auto low = static_cast<std::uint64_t>(warps); low == warps) {  // as on every GPU that there is
      return *std::find_if(oldest_first.begin(), oldest_first.end(),
                           [low](unsigned warp) { return warp < 64 && (low >> warp & 1) != 0; });
    }
    return *std::find_if(oldest_first.begin(), oldest_first.end(),
                         [warps](unsigned warp) { return contains(warps, warp); });
  }
  /// The one of `warps`, not empty, that started last.
  [[nodiscard]] unsigned youngest(WarpSet warps) const {
    return *std::find_if(oldest_first.rbegin(), oldest_first.rend(),
                         [warps](unsigned warp) { return contains(warps, warp); });
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
