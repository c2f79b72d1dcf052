// Greedy, then oldest (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO 2012): stay
// with a warp until it stalls, then take the oldest that can issue.
#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    if (!stays_ || !contains(candidates.eligible, last_)) last_ = candidates.oldest(candidates.eligible);
    stays_ = true;
    return last_;
  }

  void retired(unsigned warp) override { stays_ = stays_ && warp != last_; }

 private:
  unsigned last_ = 0;   // the warp picked last,
  bool stays_ = false;  // which lives
};

}  // namespace

std::unique_ptr<WarpScheduler> make_greedy_then_oldest() { return std::make_unique<GreedyThenOldest>(); }

}  // namespace heddle::sim
