// Loose round robin: every warp in turn; those that cannot issue lose their turn.
#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class LooseRoundRobin final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    const WarpSet after_last = above(candidates.eligible, last_);
    last_ = lowest(after_last != 0 ? after_last : candidates.eligible);
    return last_;
  }

 private:
  unsigned last_ = kMostWarps - 1;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_loose_round_robin() { return std::make_unique<LooseRoundRobin>(); }

}  // namespace heddle::sim
