#include "tools/cuda/runtime/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "isa/ir/texture_layout.h"
#include "tools/cuda/include/__heddle_texture_layout.h"
#include "tools/cuda/runtime/array.h"
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::require;

namespace {

// CUDA C++ reads it by the first, PTX by the second.
namespace layout = heddle::ir::texture;
static_assert(offsetof(__heddle_texture, data) == layout::kData &&
              offsetof(__heddle_texture, pitch) == layout::kPitch &&
              offsetof(__heddle_texture, slice) == layout::kSlice &&
              offsetof(__heddle_texture, width) == layout::kWidth &&
              offsetof(__heddle_texture, height) == layout::kHeight &&
              offsetof(__heddle_texture, depth) == layout::kDepth &&
              offsetof(__heddle_texture, channel_bytes) == layout::kChannelBytes &&
              offsetof(__heddle_texture, channels) == layout::kChannels &&
              offsetof(__heddle_texture, kind) == layout::kKind &&
              offsetof(__heddle_texture, address_modes) == layout::kAddressModes &&
              offsetof(__heddle_texture, is_linear) == layout::kIsLinear &&
              offsetof(__heddle_texture, is_normalized_value) == layout::kIsNormalizedValue &&
              offsetof(__heddle_texture, is_normalized_place) == layout::kIsNormalizedPlace &&
              offsetof(__heddle_texture, border) == layout::kBorder);

void set_format(__heddle_texture& texture, const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  texture.channels = 1U + (format.y != 0 ? 1U : 0U) + (format.z != 0 ? 1U : 0U) + (format.w != 0 ? 1U : 0U);
  texture.channel_bytes = static_cast<unsigned>(bits / 8);
  texture.kind = format.f;
  require((bits == 8 || bits == 16 || bits == 32) && texture.channels != 3,
          fmt::format("texels of {} channels of {} bits", texture.channels, bits));
}

void set_memory(__heddle_texture& texture, const cudaResourceDesc& resource) {
  texture.height = texture.depth = 1;
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray* array = resource.res.array.array;
      require(array != nullptr, "there is no array");
      set_format(texture, array->format);
      texture.data = array->address;
      texture.pitch = array->pitch();
      texture.slice = array->pitch() * array->rows();
      texture.width = static_cast<unsigned>(array->extent.width);
      texture.height = static_cast<unsigned>(array->rows());
      texture.depth = static_cast<unsigned>(array->layers());
      return;
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      set_format(texture, linear.desc);
      texture.data = reinterpret_cast<std::uint64_t>(linear.devPtr);
      texture.width = static_cast<unsigned>(linear.sizeInBytes / (texture.channels * texture.channel_bytes));
      return;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      set_format(texture, rows.desc);
      texture.data = reinterpret_cast<std::uint64_t>(rows.devPtr);
      texture.pitch = rows.pitchInBytes;
      texture.width = static_cast<unsigned>(rows.width);
      texture.height = static_cast<unsigned>(rows.height);
      return;
    }
    case cudaResourceTypeMipmappedArray:
      break;
  }
  throw Failure(cudaErrorNotSupported, "Heddle's runtime does not have mipmapped arrays yet");
}

cudaError_t destroyed(const char* function, unsigned long long object) {
  return gpu_call(function, [&](Gpu& gpu) { heddle::cudart::destroy_texture(gpu, object); });
}

}  // namespace

namespace heddle::cudart {

cudaTextureObject_t create_texture(Gpu& gpu, const cudaResourceDesc& resource, const cudaTextureDesc& how) {
  __heddle_texture texture{};
  set_memory(texture, resource);
  std::copy(std::begin(how.addressMode), std::end(how.addressMode), std::begin(texture.address_modes));
  std::copy(std::begin(how.borderColor), std::end(how.borderColor), std::begin(texture.border));
  texture.is_linear = how.filterMode == cudaFilterModeLinear ? 1 : 0;
  texture.is_normalized_value = how.readMode == cudaReadModeNormalizedFloat ? 1 : 0;
  texture.is_normalized_place = how.normalizedCoords != 0 ? 1 : 0;
  return gpu.textures.add(texture);
}

void destroy_texture(Gpu& gpu, unsigned long long object) {
  if (object == 0) return;
  if (!gpu.textures.remove(object))
    throw Failure(cudaErrorInvalidResourceHandle, "there is no such object");
}

}  // namespace heddle::cudart

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* asked, const void* view) {
  return gpu_call("cudaCreateTextureObject", [&](Gpu& gpu) {
    require(object != nullptr && resource != nullptr && asked != nullptr, "a description is missing");
    if (view != nullptr)
      throw Failure(cudaErrorNotSupported, "Heddle's runtime does not have views of resources yet");
    *object = heddle::cudart::create_texture(gpu, *resource, *asked);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return destroyed("cudaDestroyTextureObject", object);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return gpu_call("cudaCreateSurfaceObject", [&](Gpu& gpu) {
    require(object != nullptr && resource != nullptr && resource->resType == cudaResourceTypeArray,
            "a surface is made of an array");
    __heddle_texture texture{};
    set_memory(texture, *resource);
    *object = gpu.textures.add(texture);
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return destroyed("cudaDestroySurfaceObject", object);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
}
