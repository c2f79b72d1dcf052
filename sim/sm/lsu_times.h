// Times of the load/store unit that follow from a GPU's latencies.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// The cycles from the shared stage until a hit in L1 can be used.
inline Cycle look_up_time(const GpuSpec& spec) {
  return spec.l1.enabled ? spec.l1.latency - spec.sm.mio.front_latency : 0;
}

/// What writing shared memory adds to the time of a load that copies there: what the class's latency has
/// above that of L1, and the passes over the banks after the first. They do not keep the shared stage: a
/// choice, nothing is published.
inline std::uint32_t write_time(const GpuSpec& spec, std::uint32_t passes) {
  const std::uint32_t latency = spec.sm.timing(ir::TimingClass::CopyToShared).latency;
  return std::max(latency, spec.l1.latency) - spec.l1.latency + passes - 1;
}

}  // namespace heddle::sim
