// The warps of a sub-partition as sets of the width that their number takes.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/sm/warp_pool.h"

namespace heddle::sim {

/// The WarpPool of a sub-partition, in one of two widths; the width is chosen once, when it is made.
class WarpPools {
 public:
  WarpPools(const SchedulerPolicy& policy, unsigned warps)
      : narrow_(policy, std::min(warps, kSetSize<WarpSet>)) {
    if (warps > kSetSize<WarpSet>) wide_ = std::make_unique<WarpPool<WideWarpSet>>(policy, warps);
  }

  /// Whether the warps are too many for a WarpSet: then the wide pool has them, and the narrow one none.
  [[nodiscard]] bool are_wide() const { return wide_ != nullptr; }
  [[nodiscard]] WarpPool<WarpSet>& narrow() { return narrow_; }
  [[nodiscard]] WarpPool<WideWarpSet>& wide() { return *wide_; }

  /// Calls use(pool) with the pool that the warps are in.
  template <typename Use>
  decltype(auto) with(Use use) {
    return wide_ == nullptr ? use(narrow_) : use(*wide_);
  }
  template <typename Use>
  decltype(auto) with(Use use) const {
    return wide_ == nullptr ? use(narrow_) : use(std::as_const(*wide_));
  }

  [[nodiscard]] bool is_empty() const {
    return with([](const auto& pool) { return pool.is_empty(); });
  }
  [[nodiscard]] GroupSet ready_groups() const {
    return with([](const auto& pool) { return pool.ready_groups(); });
  }

 private:
  WarpPool<WarpSet> narrow_;
  std::unique_ptr<WarpPool<WideWarpSet>> wide_;
};

}  // namespace heddle::sim
