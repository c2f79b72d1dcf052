// A GPU file that names another compute capability than the file it extends must not go on with the limits of
// that one.
#pragma once

#include <functional>
#include <string>

#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// What is wrong with the limits of an SM that `is_inherited` says come from below the file that names the
/// compute capability: those that are not its own, with both figures. Empty if nothing is, or it is none of
/// NVIDIA's. Keys are as in a GPU file, "occupancy.max_warps".
std::string inherited_limits(const GpuSpec& spec,
                             const std::function<bool(const std::string& key)>& is_inherited);

}  // namespace heddle::sim
