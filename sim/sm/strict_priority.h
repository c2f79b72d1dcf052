// Strict priority by kind and age: instructions that stay in the sub-partition before those that go to
// memory, and among equals the oldest warp. It is the order in which articles on latency hiding sketch a
// scheduler.
#pragma once

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// The policy `priority`.
template <typename Set>
class StrictPriority final : public WarpScheduler<Set> {
 public:
  unsigned pick(const Candidates<Set>& candidates) override {
    const Set others = candidates.eligible & ~candidates.memory;
    return candidates.oldest(others != 0 ? others : candidates.eligible);
  }
};

}  // namespace heddle::sim
