// Greedy, then oldest (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO 2012): stay
// with a warp until it stalls, then take the oldest that can issue.
#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    if ((candidates.eligible & last_) == 0) last_ = only(candidates.oldest(candidates.eligible));
    return lowest(last_);
  }

  void retired(unsigned warp) override { last_ &= ~only(warp); }

 private:
  WarpSet last_ = 0;  // the warp picked last, while it lives
};

}  // namespace

std::unique_ptr<WarpScheduler> make_greedy_then_oldest() { return std::make_unique<GreedyThenOldest>(); }

}  // namespace heddle::sim
