// Why a kernel cannot be launched.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/occupancy/kernel_resources.h"

namespace heddle::sim {

/// All reasons, each as a message that names the limit in the GPU file. Empty if and only if occupancy_of()
/// gives at least one block.
std::vector<std::string> refusals(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
