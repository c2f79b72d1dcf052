#include "sim/sm/warp_waits.h"

namespace heddle::sim {

void WarpWaits::block(unsigned warp, Cycle now, ir::StallReason reason) {
  WarpWait& wait = warps_[warp];
  if (wait.from != now) note_blocked(warp, now);
  wait.from = now;
  wait.demand.blocked_by = wait.demand.reason;
  wait.demand.reason = reason;
}

/// The warp was blocked up to `now`, and will be for another reason. What it noted before its last issue is
/// not looked at any more.
[[gnu::noinline]] void WarpWaits::note_blocked(unsigned warp, Cycle now) {
  const WarpWait& wait = warps_[warp];
  std::erase_if(before_, [&](const Blocked& each) { return each.warp == warp && each.until <= wait.since; });
  before_.push_back({warp, wait.from, now, wait.demand.reason});
}

}  // namespace heddle::sim
