// When the waiting warps of a sub-partition become ready, and the groups that they belong to: a ring of the
// next 64 cycles, and a list beyond.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/warp_set.h"

namespace heddle::sim {

/// Entries must be collected at their very cycle: whoever owns the wheel visits `next` before passing it.
template <typename Set>
class WakeWheel {
 public:
  /// Warps that become ready in the same cycle, and their groups.
  struct Due {
    Set warps = 0;
    GroupSet groups = 0;
  };

  /// `at` is not before `now`, and `now` at most one cycle ahead of the next call of due().
  void add(Cycle now, Cycle at, unsigned warp, unsigned group) {
    if (at - now < kNear - 1) {  // a whole turn ahead would be due at once
      add_near(at, warp, group);
      occupied_ |= std::uint64_t{1} << (at % kNear);
    } else {
      add_far(at, warp, group);
    }
  }

  /// Takes out the warps whose cycle is `now`, with their groups.
  Due due(Cycle now) {
    if (now >= far_next_) far_due(now);
    occupied_ &= ~(std::uint64_t{1} << (now % kNear));
    return {std::exchange(warps_[now % kNear], Set{0}), std::exchange(groups_[now % kNear], GroupSet{0})};
  }

  /// The first cycle from `now` on at which a warp is due; kNever if none is.
  [[nodiscard]] Cycle next(Cycle now) const {
    if (occupied_ == 0) return far_next_;
    const auto ahead = std::rotr(occupied_, static_cast<int>(now % kNear));
    return std::min(far_next_, now + static_cast<Cycle>(std::countr_zero(ahead)));
  }

 private:
  /// A warp that is due later than the ring reaches.
  struct Entry {
    Cycle at;
    unsigned warp;
    unsigned group;
  };

  static constexpr Cycle kNear = 64;

  void add_near(Cycle at, unsigned warp, unsigned group) {
    warps_[at % kNear] |= only<Set>(warp);
    groups_[at % kNear] |= GroupSet{1} << group;
  }

  // Apart, lest those who call add() and due() save registers for what is rare.
  [[gnu::noinline]] void add_far(Cycle at, unsigned warp, unsigned group) {
    far_.push_back({at, warp, group});
    far_next_ = std::min(far_next_, at);
  }

  [[gnu::noinline]] void far_due(Cycle now) {
    far_next_ = kNever;
    std::erase_if(far_, [&](const Entry& entry) {
      if (entry.at <= now) {
        add_near(now, entry.warp, entry.group);
        return true;
      }
      far_next_ = std::min(far_next_, entry.at);
      return false;
    });
  }

  // Two rows and not one of both, which the host would read at once before it has all been written.
  std::array<Set, kNear> warps_{};
  std::array<GroupSet, kNear> groups_{};
  std::uint64_t occupied_ = 0;  // bit i: warps_[i] is not empty
  std::vector<Entry> far_;
  Cycle far_next_ = kNever;
};

}  // namespace heddle::sim
