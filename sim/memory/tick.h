// Time where whole cycles are too coarse: bandwidths are no whole number of cycles a sector.
#pragma once

#include <cmath>
#include <cstdint>

#include "isa/base/types.h"

namespace heddle::sim {

/// Units of 1/4096 cycle.
using Tick = std::uint64_t;

inline constexpr Tick kTicksPerCycle = 4096;

constexpr Tick to_ticks(Cycle cycles) { return cycles * kTicksPerCycle; }
/// The nearest number of them.
inline Tick nearest_ticks(double cycles) {
  return static_cast<Tick>(std::llround(cycles * static_cast<double>(kTicksPerCycle)));
}

}  // namespace heddle::sim
