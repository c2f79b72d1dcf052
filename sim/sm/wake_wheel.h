// When the waiting warps of a sub-partition become ready: a ring of the next 64 cycles, and a list beyond.
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
  /// `at` is not before `now`, and `now` at most one cycle ahead of the next call of due().
  void add(Cycle now, Cycle at, unsigned warp) {
    if (at - now < kNear - 1) {  // a whole turn ahead would be due at once
      near_[at % kNear] |= only<Set>(warp);
      occupied_ |= std::uint64_t{1} << (at % kNear);
    } else {
      add_far(at, warp);
    }
  }

  /// Takes out the warps whose cycle is `now`.
  Set due(Cycle now) {
    Set warps = std::exchange(near_[now % kNear], Set{0});
    occupied_ &= ~(std::uint64_t{1} << (now % kNear));
    if (now >= far_next_) warps |= far_due(now);
    return warps;
  }

  /// The first cycle from `now` on at which a warp is due; kNever if none is.
  [[nodiscard]] Cycle next(Cycle now) const {
    if (occupied_ == 0) return far_next_;
    const auto ahead = std::rotr(occupied_, static_cast<int>(now % kNear));
    return std::min(far_next_, now + static_cast<Cycle>(std::countr_zero(ahead)));
  }

 private:
  struct Entry {
    Cycle at;
    unsigned warp;
  };

  static constexpr Cycle kNear = 64;

  // Apart, lest those who call add() and due() save registers for what is rare.
  [[gnu::noinline]] void add_far(Cycle at, unsigned warp) {
    far_.push_back({at, warp});
    far_next_ = std::min(far_next_, at);
  }

  [[gnu::noinline]] Set far_due(Cycle now) {
    Set warps = 0;
    far_next_ = kNever;
    std::erase_if(far_, [&](const Entry& entry) {
      if (entry.at <= now) {
        warps |= only<Set>(entry.warp);
        return true;
      }
      far_next_ = std::min(far_next_, entry.at);
      return false;
    });
    return warps;
  }

  std::array<Set, kNear> near_{};
  std::uint64_t occupied_ = 0;  // bit i: near_[i] is not empty
  std::vector<Entry> far_;
  Cycle far_next_ = kNever;
};

}  // namespace heddle::sim
