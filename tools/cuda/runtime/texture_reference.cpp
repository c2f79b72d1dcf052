// Texture references: variables of device code that hold the texture object which the host has bound.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/texture.h"

using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::Process;
using heddle::cudart::require;

namespace {

/// What lies in the variable. Kernels that were launched before read what was there then.
std::byte* place_of(Gpu& gpu, const textureReference* reference) {
  require(reference != nullptr, "there is no texture reference");
  const heddle::session::Symbol symbol = gpu.symbol(reference);
  gpu.device.synchronize();
  return gpu.device.bytes_at(symbol.pointer, sizeof(cudaTextureObject_t)).data();
}

void put(Gpu& gpu, const textureReference* reference, cudaTextureObject_t object) {
  std::byte* place = place_of(gpu, reference);
  cudaTextureObject_t before = 0;
  std::memcpy(&before, place, sizeof before);
  std::memcpy(place, &object, sizeof object);
  gpu.device.note_written({reinterpret_cast<std::uint64_t>(place)}, sizeof object);
  heddle::cudart::destroy_texture(gpu, before);
}

void bind(Gpu& gpu, const textureReference* reference, const cudaResourceDesc& resource) {
  require(reference != nullptr, "there is no texture reference");
  cudaTextureDesc how = {};
  std::copy(std::begin(reference->addressMode), std::end(reference->addressMode),
            std::begin(how.addressMode));
  how.filterMode = reference->filterMode;
  how.normalizedCoords = reference->normalized;
  const bool is_normalized = Process::get().registry.is_normalized(reference);
  how.readMode = is_normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  put(gpu, reference, heddle::cudart::create_texture(gpu, resource, how));
}

/// Texels are fetched where they lie, whatever the alignment.
void set_no_offset(std::size_t* offset) {
  if (offset != nullptr) *offset = 0;
}

/// The bytes from the pointer to the end of its allocation, at most.
std::size_t bytes_from(const Gpu& gpu, const void* memory, std::size_t size) {
  const heddle::cudart::Allocation* found = gpu.memory.find(memory);
  require(found != nullptr, fmt::format("{} is no address of device memory", memory));
  return std::min<std::size_t>(size, found->address + found->bytes - reinterpret_cast<std::uint64_t>(memory));
}

}  // namespace

extern "C" {

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* memory,
                            const cudaChannelFormatDesc* format, size_t size) {
  return gpu_call("cudaBindTexture", [&](Gpu& gpu) {
    require(format != nullptr, "there is no format");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {const_cast<void*>(memory), *format, bytes_from(gpu, memory, size)};
    bind(gpu, reference, resource);
    set_no_offset(offset);
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* memory,
                              const cudaChannelFormatDesc* format, size_t width, size_t height,
                              size_t pitch) {
  return gpu_call("cudaBindTexture2D", [&](Gpu& gpu) {
    require(format != nullptr, "there is no format");
    require(gpu.memory.find(memory) != nullptr, fmt::format("{} is no address of device memory", memory));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void*>(memory), *format, width, height, pitch};
    bind(gpu, reference, resource);
    set_no_offset(offset);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return gpu_call("cudaBindTextureToArray", [&](Gpu& gpu) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    bind(gpu, reference, resource);
  });
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return gpu_call("cudaUnbindTexture", [&](Gpu& gpu) { put(gpu, reference, 0); });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return gpu_call("cudaGetTextureAlignmentOffset", [&](Gpu&) {
    require(offset != nullptr && reference != nullptr, "there is no reference, or no place for the offset");
    *offset = 0;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return gpu_call("cudaGetTextureReference", [&](Gpu& gpu) {
    require(reference != nullptr, "there is no place for the reference");
    gpu.symbol(symbol);  // throws if there is none
    *reference = static_cast<const textureReference*>(symbol);
  });
}
}
