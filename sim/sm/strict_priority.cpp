// Strict priority by kind and age: instructions that stay in the sub-partition before those that go to
// memory, and among equals the oldest warp. It is the order in which articles on latency hiding sketch a
// scheduler.
#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

class StrictPriority final : public WarpScheduler {
 public:
  unsigned pick(const Candidates& candidates) override {
    const WarpSet others = candidates.eligible & ~candidates.memory;
    return candidates.oldest(others != 0 ? others : candidates.eligible);
  }
};

}  // namespace

std::unique_ptr<WarpScheduler> make_strict_priority() { return std::make_unique<StrictPriority>(); }

}  // namespace heddle::sim
