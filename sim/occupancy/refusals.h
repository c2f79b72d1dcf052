// Why a kernel cannot be launched at all.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/occupancy/kernel_resources.h"

namespace heddle::sim {

/// All reasons, each a message that names the limit of the GPU file; none exactly if occupancy_of() has at
/// least one block.
std::vector<std::string> refusals(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
