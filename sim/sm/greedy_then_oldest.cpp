// Greedy, then oldest (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO 2012): stay with
// a warp until it stalls, then take the oldest that can issue.
#include <bit>

#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(WarpSet eligible, std::span<const std::uint64_t> age) override {
    if ((eligible >> last_ & 1) != 0 && age[last_] == last_age_) return last_;
    last_ = static_cast<unsigned>(std::countr_zero(eligible));
    for (WarpSet rest = eligible & (eligible - 1); rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<unsigned>(std::countr_zero(rest));
      if (age[warp] < age[last_]) last_ = warp;
    }
    last_age_ = age[last_];
    return last_;
  }

 private:
  unsigned last_ = 0;
  std::uint64_t last_age_ = ~std::uint64_t{0};  // tells a new warp in the same slot from the one it replaced
};

}  // namespace

std::unique_ptr<WarpScheduler> make_greedy_then_oldest() { return std::make_unique<GreedyThenOldest>(); }

}  // namespace heddle::sim
