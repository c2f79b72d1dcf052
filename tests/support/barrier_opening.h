// When a block barrier opens, by the rule as it is stated.
#pragma once

#include <algorithm>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"

namespace heddle::test {

/// The unit takes those who came at these cycles one after another; `base` after the last of them all go on.
inline Cycle opening(std::vector<Cycle> arrivals, const sim::BarrierSpec& spec) {
  std::sort(arrivals.begin(), arrivals.end());
  Cycle taken = 0;
  for (const Cycle arrival : arrivals) taken = std::max(taken, arrival) + spec.per_warp;
  return taken + spec.base;
}

}  // namespace heddle::test
