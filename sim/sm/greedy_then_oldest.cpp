// Greedy, then oldest (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO 2012): stay
// with a warp until it stalls, then take the oldest that can issue.
#include <optional>

#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    if (!last_ || !contains(candidates.eligible, *last_)) last_ = candidates.oldest(candidates.eligible);
    return *last_;
  }

  void retired(unsigned warp) override {
    if (last_ == warp) last_.reset();
  }

 private:
  std::optional<unsigned> last_;  // the warp picked last, while it lives
};

}  // namespace

std::unique_ptr<WarpScheduler> make_greedy_then_oldest() { return std::make_unique<GreedyThenOldest>(); }

}  // namespace heddle::sim
