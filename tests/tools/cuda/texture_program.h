// What CUDA programs of tests that fetch from textures begin with.
#pragma once

namespace heddle::cuda {

/// Makes a texture of what `resource` names.
inline constexpr const char* kTextures = R"(
#include <cmath>
cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureAddressMode mode, bool is_linear,
                               bool is_normalized, cudaTextureReadMode read = cudaReadModeElementType, float border = 0) {
  cudaTextureDesc how = {};
  for (auto& each : how.addressMode) each = mode;
  how.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = read;
  how.normalizedCoords = is_normalized;
  how.borderColor[0] = border, how.borderColor[3] = -border;
  cudaTextureObject_t made = 0;
  cudaCreateTextureObject(&made, &resource, &how, nullptr);
  return made;
}
cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
)";

}  // namespace heddle::cuda
