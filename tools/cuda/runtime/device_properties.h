// What a program can ask of a GPU, from its GPU file.
#pragma once

#include <optional>

#include "sim/config/gpu_spec.h"
#include "tools/cuda/runtime/api.h"

namespace heddle::cudart {

cudaDeviceProp properties_of(const sim::GpuSpec& gpu, int device);

/// Nothing: CUDA has no such attribute, or it is not known here.
std::optional<int> attribute_of(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

}  // namespace heddle::cudart
