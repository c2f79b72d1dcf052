// Greedy, then oldest (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO 2012): stay with
// a warp until it stalls, then take the oldest that can issue.
#include <algorithm>
#include <bit>

#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(WarpSet eligible, std::span<const std::uint8_t> oldest_first) override {
    if ((eligible & last_) == 0) {
      const auto oldest = std::find_if(oldest_first.begin(), oldest_first.end(),
                                       [eligible](unsigned warp) { return (eligible >> warp & 1) != 0; });
      last_ = WarpSet{1} << *oldest;
    }
    return static_cast<unsigned>(std::countr_zero(last_));
  }

  void retired(unsigned warp) override { last_ &= ~(WarpSet{1} << warp); }

 private:
  WarpSet last_ = 0;  // the warp picked last, while it lives
};

}  // namespace

std::unique_ptr<WarpScheduler> make_greedy_then_oldest() { return std::make_unique<GreedyThenOldest>(); }

}  // namespace heddle::sim
