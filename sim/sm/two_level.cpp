// Two-level (Narasiman et al., "Improving GPU Performance via Large Warps and Two-Level Warp Scheduling",
// MICRO 2011): warps form fetch groups of eight slots. Round robin within a group, until none of it can
// issue; then the next group. Groups so reach their long-latency instructions one after another, and one
// computes while another waits.
#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

constexpr unsigned kGroupSize = 8;

class TwoLevel final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    const WarpSet in_group = candidates.eligible & group(last_ / kGroupSize);
    last_ = in_group != 0 ? next_after_last(in_group) : first_of_next_group(candidates.eligible);
    return last_;
  }

 private:
  static WarpSet group(unsigned index) { return WarpSet{(1U << kGroupSize) - 1} << (index * kGroupSize); }

  [[nodiscard]] unsigned next_after_last(WarpSet warps) const {
    const WarpSet after = above(warps, last_);
    return lowest(after != 0 ? after : warps);
  }

  /// The lowest warp of the first group after the current one that has any; groups come round at the end.
  [[nodiscard]] unsigned first_of_next_group(WarpSet warps) const {
    constexpr unsigned kGroups = kMostWarps / kGroupSize;
    unsigned index = last_ / kGroupSize;
    do {
      index = (index + 1) % kGroups;
    } while ((warps & group(index)) == 0);
    return lowest(warps & group(index));
  }

  unsigned last_ = kMostWarps - 1;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_two_level() { return std::make_unique<TwoLevel>(); }

}  // namespace heddle::sim
