// The link over which copies between the host and the GPU go, each direction with a copy engine of its own.
#pragma once

#include "sim/config/gpu_spec.h"

namespace heddle::cudart {

/// Of one direction. A copy takes latency_us + bytes / (bandwidth_gbps * efficiency).
struct HostLink {
  double bandwidth_gbps = 0;  ///< Peak, in 10^9 bytes a second.
  double efficiency = 0;      ///< Share of the peak that long copies reach.
  double latency_us = 0;      ///< What a copy takes besides its bytes.
};

/// PCI Express with 16 lanes, of the generation that NVIDIA's cards of this compute capability have. A GPU
/// that NVIDIA never built has 16 GB/s and 1 us, to be followed by hand.
HostLink host_link_of(const sim::GpuSpec& gpu);

}  // namespace heddle::cudart
