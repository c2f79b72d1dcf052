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

/// A program that fetches from a plane in each mode, for kTextures and program_of(). It prints the cases that are not what
/// they are to be, then the error of freeing an array twice.
inline constexpr const char* kPlaneKernel = R"(
__global__ void fetch(cudaTextureObject_t texture, const float2* places, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex2D<float>(texture, places[i].x, places[i].y);
}
)";
inline constexpr const char* kPlaneMain = R"(
  // Texel (x, y) of 4 x 2 is x + 10 y.
  const float texels[8] = {0, 1, 2, 3, 10, 11, 12, 13};
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  check(cudaMallocArray(&array, &format, 4, 2));
  check(cudaMemcpyToArray(array, 0, 0, texels, sizeof texels, cudaMemcpyHostToDevice));
  const cudaResourceDesc resource = resource_of(array);
  struct { cudaTextureAddressMode mode; bool linear, normalized; float2 place; float expected; } cases[] = {
      {cudaAddressModeClamp, false, false, {2.9f, 1.2f}, 12},
      {cudaAddressModeClamp, false, false, {-3, 9}, 10},
      {cudaAddressModeBorder, false, false, {4, 0}, 0},
      {cudaAddressModeBorder, false, false, {3.5f, 1.5f}, 13},
      {cudaAddressModeWrap, false, true, {1.3f, 0}, 1},      // 5.2, which is 1.2
      {cudaAddressModeWrap, false, true, {-0.1f, 0.75f}, 13},
      {cudaAddressModeMirror, false, true, {1.3f, 0}, 2},    // 5.2 mirrored at 4 is 2.8
      {cudaAddressModeClamp, true, false, {1.5f, 0.5f}, 1},  // the middle of a texel
      {cudaAddressModeClamp, true, false, {2, 1}, 6.5f},     // between four
      {cudaAddressModeClamp, true, false, {1.75f, 0.5f}, 1.25f},
      {cudaAddressModeClamp, true, false, {0, 0}, 0},
      {cudaAddressModeWrap, true, true, {0, 0.25f}, 1.5f},   // between the last and the first
      {cudaAddressModeBorder, true, false, {0, 1.5f}, 5},    // half of it is the border
  };
  float2* place;
  float* out;
  check(cudaMallocManaged(&place, sizeof *place));
  check(cudaMallocManaged(&out, sizeof *out));
  for (const auto& each : cases) {
    const cudaTextureObject_t texture = texture_of(resource, each.mode, each.linear, each.normalized);
    *place = each.place;
    fetch<<<1, 1>>>(texture, place, out, 1);
    check(cudaDeviceSynchronize());
    if (std::fabs(*out - each.expected) > 1e-6f)
      std::printf("case %d: %g instead of %g\n", (int)(&each - cases), *out, each.expected);
    check(cudaDestroyTextureObject(texture));
  }
  check(cudaFreeArray(array));
  std::printf("%s\n", cudaGetErrorName(cudaFreeArray(array)));
)";

}  // namespace heddle::cuda
