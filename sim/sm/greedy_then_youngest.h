// Greedy, then youngest, guided by the compiler (CGGTY; Huerta et al., "Analyzing Modern NVIDIA GPU cores",
// MICRO 2025, measured on compute capability 8.6): stay with a warp until it stalls, then take the youngest
// that can issue. When a warp can issue is known from its operands here, where hardware reads the compiler's
// stall counts.
#pragma once

#include <optional>

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

template <typename Set>
class GreedyThenYoungest final : public WarpScheduler<Set> {
 public:
  unsigned pick(const Candidates<Set>& candidates) override {
    if (!last_ || !contains(candidates.eligible, *last_)) last_ = candidates.youngest(candidates.eligible);
    return *last_;
  }

  void retired(unsigned warp) override {
    if (last_ == warp) last_.reset();
  }

 private:
  std::optional<unsigned> last_;  // the warp picked last, while it lives
};

}  // namespace heddle::sim
