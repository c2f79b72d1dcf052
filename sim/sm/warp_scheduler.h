// A warp scheduling policy: which of the eligible warps of a sub-partition issues.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace heddle::sim {

/// Warps of one sub-partition; bit i is its i-th warp slot.
using WarpSet = std::uint64_t;

/// One object a sub-partition. Called once for each issued instruction; must depend on nothing but its
/// arguments and what it picked before, since cycles without an eligible warp are skipped.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;

  /// Picks one of `eligible`, which is not empty. `oldest_first` are the resident warps, in the order in which
  /// they started; a warp that has just started in a slot is the last of them.
  virtual unsigned pick(WarpSet eligible, std::span<const std::uint8_t> oldest_first) = 0;

  /// A warp has finished; another may come to live in its place.
  virtual void retired(unsigned) {}
};

struct SchedulerPolicy {
  std::string_view name;     ///< As in GPU files and --scheduler.
  std::string_view summary;
  std::unique_ptr<WarpScheduler> (*make)();
};

/// All policies, in the order in which they are listed.
std::span<const SchedulerPolicy> scheduler_policies();

/// Null if there is none of that name.
const SchedulerPolicy* find_scheduler_policy(std::string_view name);

}  // namespace heddle::sim
