// Oldest first: always the eligible warp that started first.
#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class OldestFirst final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override { return candidates.oldest(candidates.eligible); }
};

}  // namespace

std::unique_ptr<WarpScheduler> make_oldest_first() { return std::make_unique<OldestFirst>(); }

}  // namespace heddle::sim
