// What the warps of a sub-partition have waited for since each of them issued last, and from when to when.
#pragma once

#include <algorithm>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/class_timings.h"

namespace heddle::sim {

/// Before it is ready, a warp is blocked in the cycles from `since` to `from`, mostly none, and waits for its
/// operands from then to `ready_at`.
struct WarpWait {
  Cycle since = 0;  ///< The cycle after its last issue, or its start.
  Cycle from = 0;   ///< Since when it waits for demand.reason.
  Cycle ready_at = 0;
  IssueDemand demand;  ///< What the next instruction asks for.
};

/// The waits of all warps of a sub-partition, by their places in it.
class WarpWaits {
 public:
  explicit WarpWaits(unsigned warps) : warps_(warps) {}

  [[nodiscard]] const WarpWait& operator[](unsigned warp) const { return warps_[warp]; }
  [[nodiscard]] WarpWait& operator[](unsigned warp) { return warps_[warp]; }

  /// The warp starts, or issues in the cycle before.
  void begin(unsigned warp, Cycle at) { warps_[warp].since = warps_[warp].from = at; }
  /// From `now` on the warp, blocked or not, is blocked for this reason.
  void block(unsigned warp, Cycle now, ir::StallReason reason);
  /// The warp is ready from `until` on to issue an instruction of `next`. It has been blocked up to now, or
  /// has issued in the cycle before.
  void schedule(unsigned warp, Cycle until, ir::StallReason reason, const ClassTiming& next) {
    WarpWait& wait = warps_[warp];
    wait.ready_at = until;
    wait.demand = next.demand;
    wait.demand.reason = reason;
  }

  /// What the cycles from `first` to `now` were lost to, from the view of the warp that issues then: what it
  /// was blocked by, then its operands, then the dispatcher, which was held up to `held_until`, then a pipe.
  /// Calls lose(reason, cycles); cycles that it has taken for another reason's it gives back. Returns how
  /// many of the first were before the warp had started or issued last.
  template <typename Lose>
  Cycle split(unsigned warp, Cycle first, Cycle now, Cycle held_until, const Lose& lose) const;

  /// For the host's caches.
  [[nodiscard]] const std::vector<WarpWait>& all() const { return warps_; }

 private:
  /// What a warp was blocked by before what it is, or was last, blocked by.
  struct Blocked {
    unsigned warp;
    Cycle from;
    Cycle until;
    ir::StallReason reason;
  };

  void note_blocked(unsigned warp, Cycle now);

  std::vector<WarpWait> warps_;
  std::vector<Blocked> before_;
};

template <typename Lose>
[[gnu::always_inline]] inline Cycle WarpWaits::split(unsigned warp, Cycle first, Cycle now, Cycle held_until,
                                                     const Lose& lose) const {
  const WarpWait& wait = warps_[warp];
  const Cycle since = std::clamp(wait.since, first, now);
  const Cycle from = std::clamp(wait.from, since, now);
  const Cycle ready_at = std::clamp(wait.ready_at, from, now);
  lose(wait.demand.blocked_by, from - since);
  for (const Blocked& each : before_) {
    if (each.warp != warp) continue;
    const Cycle slots = std::clamp(each.until, since, from) - std::clamp(each.from, since, from);
    lose(wait.demand.blocked_by, 0 - slots);
    lose(each.reason, slots);
  }
  lose(wait.demand.reason, ready_at - from);
  const Cycle free_at = std::clamp(held_until, ready_at, now);
  lose(ir::StallReason::DispatchStall, free_at - ready_at);
  lose(wait.demand.throttle, now - free_at);
  return since - first;
}

}  // namespace heddle::sim
