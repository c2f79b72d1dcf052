// The limits of each compute capability, 5.0 to 12.1, without a GPU file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// A GPU on the market: what a whole GPU can hold depends on its number of SMs, not on its compute
/// capability.
struct ExampleGpu {
  std::string_view name;
  std::uint32_t sms = 0;
  std::uint32_t gpcs = 0;
};

struct ComputeCapability {
  std::string_view version;  ///< "8.6"
  std::string_view architecture;
  OccupancySpec occupancy;
  ExampleGpu example;
};

/// Ascending. See compute_capabilities.def for the sources.
std::span<const ComputeCapability> compute_capabilities();

/// Null if there is none of that version.
const ComputeCapability* find_compute_capability(std::string_view version);

/// As "8.6", "sm_86", "sm_90a" or "compute_120f" have it: "8.6", "9.0", "12.0". Anything else comes back as
/// it is.
std::string compute_capability_version(std::string_view text);

}  // namespace heddle::sim
