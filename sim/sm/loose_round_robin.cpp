// Loose round robin: every warp in turn; those that cannot issue lose their turn.
#include <bit>

#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class LooseRoundRobin final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    const WarpSet after_last = candidates.eligible & ~((WarpSet{2} << last_) - 1);
    last_ = static_cast<unsigned>(std::countr_zero(after_last != 0 ? after_last : candidates.eligible));
    return last_;
  }

 private:
  unsigned last_ = 63;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_loose_round_robin() { return std::make_unique<LooseRoundRobin>(); }

}  // namespace heddle::sim
