// Two-level (Narasiman et al., "Improving GPU Performance via Large Warps and Two-Level Warp Scheduling",
// MICRO 2011): warps form fetch groups of eight slots. Round robin within a group, until none of it can
// issue; then the next group. Groups so reach their long-latency instructions one after another, and one
// computes while another waits.
#pragma once

#include <optional>

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// The policy `two_level`.
template <typename Set>
class TwoLevel final : public WarpScheduler<Set> {
 public:
  unsigned pick(const Candidates<Set>& candidates) override {
    const Set in_group = last_ ? candidates.eligible & group(*last_ / kGroupSize) : Set{0};
    last_ = in_group != 0 ? next_after(*last_, in_group) : first_of_next_group(candidates.eligible);
    return *last_;
  }

 private:
  static constexpr unsigned kGroupSize = 8;
  static constexpr unsigned kGroups = kSetSize<Set> / kGroupSize;

  static Set group(unsigned index) { return Set{(1U << kGroupSize) - 1} << (index * kGroupSize); }

  static unsigned next_after(unsigned warp, Set warps) {
    const Set after = above(warps, warp);
    return lowest(after != 0 ? after : warps);
  }

  /// The lowest warp of the first group after the current one that has any; groups come round at the end.
  [[nodiscard]] unsigned first_of_next_group(Set warps) const {
    unsigned index = last_ ? *last_ / kGroupSize : kGroups - 1;
    do {
      index = (index + 1) % kGroups;
    } while ((warps & group(index)) == 0);
    return lowest(warps & group(index));
  }

  std::optional<unsigned> last_;
};

}  // namespace heddle::sim
