// Greedy: stay with a warp until it stalls, then take another.
//
// GTO takes the oldest that can issue (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling",
// MICRO 2012). CGGTY takes the youngest, guided by the compiler (Huerta et al., "Analyzing Modern NVIDIA GPU
// cores", MICRO 2025, measured on compute capability 8.6): when a warp can issue is known from its operands
// here, where hardware reads the compiler's stall counts.
#pragma once

#include <optional>

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

/// `kAnother` says which of the eligible warps comes when the last one cannot go on.
template <typename Set, unsigned (Candidates<Set>::*kAnother)(Set) const>
class Greedy final : public WarpScheduler<Set> {
 public:
  unsigned pick(const Candidates<Set>& candidates) override {
    if (!last_ || !contains(candidates.eligible, *last_)) last_ = (candidates.*kAnother)(candidates.eligible);
    return *last_;
  }

  void retired(unsigned warp) override {
    if (last_ == warp) last_.reset();
  }

 private:
  std::optional<unsigned> last_;  // the warp picked last, while it lives
};

template <typename Set>
using GreedyThenOldest = Greedy<Set, &Candidates<Set>::oldest>;
template <typename Set>
using GreedyThenYoungest = Greedy<Set, &Candidates<Set>::youngest>;

}  // namespace heddle::sim
