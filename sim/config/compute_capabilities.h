// The limits of each compute capability, 5.0 to 12.1, without a GPU file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// A GPU on the market with this compute capability. What a whole GPU can hold depends on its number of SMs,
/// which the compute capability does not tell.
struct ExampleGpu {
  std::string_view name;
  std::uint32_t sms = 0;
  std::uint32_t gpcs = 0;
};

/// The limits that one compute capability sets, and a GPU that has it.
struct ComputeCapability {
  std::string_view version;  ///< "8.6"
  std::string_view architecture;
  OccupancySpec occupancy;
  ExampleGpu example;
};

/// In ascending order. See compute_capabilities.def for the sources.
std::span<const ComputeCapability> compute_capabilities();

/// Null if the version is not known.
const ComputeCapability* find_compute_capability(std::string_view version);

/// Turns "8.6", "sm_86", "sm_90a" or "compute_120f" into "8.6", "8.6", "9.0", "12.0". Any other text is
/// returned unchanged.
std::string compute_capability_version(std::string_view text);

/// 86 of "8.6"; `otherwise` if the version is not known.
unsigned compute_capability_number(std::string_view version, unsigned otherwise);

}  // namespace heddle::sim
