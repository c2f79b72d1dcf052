// Oldest first: always the eligible warp that started first.
#pragma once

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// The policy `oldest`.
template <typename Set>
class OldestFirst final : public WarpScheduler<Set> {
 public:
  unsigned pick(const Candidates<Set>& candidates) override { return candidates.oldest(candidates.eligible); }
};

}  // namespace heddle::sim
