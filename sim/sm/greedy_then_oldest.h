// Greedy, then oldest (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO 2012): stay
// with a warp until it stalls, then take the oldest that can issue.
#pragma once

#include <optional>

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

template <typename Set>
class GreedyThenOldest final : public WarpScheduler<Set> {
 public:
  unsigned pick(const Candidates<Set>& candidates) override {
    if (!last_ || !contains(candidates.eligible, *last_)) last_ = candidates.oldest(candidates.eligible);
    return *last_;
  }

  void retired(unsigned warp) override {
    if (last_ == warp) last_.reset();
  }

 private:
  std::optional<unsigned> last_;  // the warp picked last, while it lives
};

}  // namespace heddle::sim
