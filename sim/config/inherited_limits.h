// A check for GPU files that extend a file with another compute capability: the limits of an SM must not be
// inherited from it.
#pragma once

#include <functional>
#include <string>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// A message that lists the inherited limits of an SM that are wrong for the compute capability, with both
/// figures. `is_inherited` tells whether a key comes from a file below the one that names the compute
/// capability. Empty if all limits are right, or if the compute capability is not one of NVIDIA's. Keys are
/// written as in a GPU file, "occupancy.max_warps".
std::string inherited_limits(const GpuSpec& spec,
                             const std::function<bool(const std::string& key)>& is_inherited);

}  // namespace heddle::sim
