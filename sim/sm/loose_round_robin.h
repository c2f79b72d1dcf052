// Loose round robin: every warp in turn; those that cannot issue lose their turn.
#pragma once

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// The policy `lrr`.
template <typename Set>
class LooseRoundRobin final : public WarpScheduler<Set> {
 public:
  unsigned pick(const Candidates<Set>& candidates) override {
    const Set after_last = above(candidates.eligible, last_);
    last_ = lowest(after_last != 0 ? after_last : candidates.eligible);
    return last_;
  }

 private:
  unsigned last_ = kSetSize<Set> - 1;
};

}  // namespace heddle::sim
