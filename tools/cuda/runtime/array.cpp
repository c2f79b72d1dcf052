#include "tools/cuda/runtime/array.h"

#include <fmt/format.h>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::CopyRequest;
using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::require;
using heddle::cudart::Rows;
using heddle::cudart::rows_of;

namespace heddle::cudart {

Rows rows_of(const cudaArray* array, std::size_t x_bytes, std::size_t y, std::size_t z) {
  if (array == nullptr) throw Failure(cudaErrorInvalidResourceHandle, "there is no such array");
  Rows rows{reinterpret_cast<std::byte*>(array->address), array->pitch(), array->pitch() * array->rows()};
  rows.first += z * rows.slice + y * rows.pitch + x_bytes;
  return rows;
}

}  // namespace heddle::cudart

namespace {

void make_array(Gpu& gpu, cudaArray_t* made, const cudaChannelFormatDesc* format, cudaExtent extent,
                unsigned flags) {
  require(made != nullptr && format != nullptr, "there is no place for the array, or no format");
  cudaArray array{0, *format, extent, flags};
  const std::size_t texel = array.texel_bytes();
  require(texel != 0 && texel <= 16 && extent.width != 0,
          fmt::format("an array of {} texels of {} bytes", extent.width, texel));
  constexpr std::size_t kMostTexels = 131072;  // in one dimension, on all GPUs
  for (const std::size_t texels : {extent.width, extent.height, extent.depth})
    require(texels <= kMostTexels, fmt::format("an array of {} texels in one dimension; there are {} at most", texels, kMostTexels));
  const std::size_t bytes = array.pitch() * array.rows() * array.layers();
  array.address = gpu.device.allocate(bytes, "an array").address;
  gpu.memory.add({array.address, bytes, heddle::cudart::MemoryKind::Device});
  *made = new cudaArray(array);
  gpu.arrays.insert(*made);
}

/// Bytes that lie behind one another, to or from rows of an array: whole rows, or a part of one.
CopyRequest lines(const cudaArray* array, std::size_t x_bytes, std::size_t y, const void* memory,
                  std::size_t bytes, cudaMemcpyKind kind, bool is_to_array) {
  const Rows inside = rows_of(array, x_bytes, y, 0);
  const bool is_part = bytes <= inside.pitch - x_bytes;
  require(is_part || (x_bytes == 0 && bytes % inside.pitch == 0),
          fmt::format("{} bytes are no whole rows of {} bytes", bytes, inside.pitch));
  const std::size_t width = is_part ? bytes : inside.pitch;
  const Rows outside = rows_of(memory, width);
  const std::size_t height = is_part ? 1 : bytes / inside.pitch;
  return is_to_array ? CopyRequest{inside, outside, width, height, 1, kind}
                     : CopyRequest{outside, inside, width, height, 1, kind};
}

}  // namespace

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  return gpu_call("cudaMallocArray", [&](Gpu& gpu) {
    make_array(gpu, array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags) {
  return gpu_call("cudaMalloc3DArray", [&](Gpu& gpu) { make_array(gpu, array, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return gpu_call("cudaFreeArray", [&](Gpu& gpu) {
    if (array == nullptr) return;
    if (gpu.arrays.erase(array) == 0) throw Failure(cudaErrorInvalidResourceHandle, "there is no such array");
    gpu.device.free({array->address});
    gpu.memory.remove(array->address);
    delete array;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  return gpu_call("cudaArrayGetInfo", [&](Gpu& gpu) {
    if (!gpu.arrays.contains(array)) throw Failure(cudaErrorInvalidResourceHandle, "there is no such array");
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x_bytes, size_t y, const void* from, size_t count,
                              cudaMemcpyKind kind) {
  return gpu_call("cudaMemcpyToArray", [&](Gpu& gpu) {
    heddle::cudart::copy(gpu, lines(to, x_bytes, y, from, count, kind, true));
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x_bytes, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return gpu_call("cudaMemcpyFromArray", [&](Gpu& gpu) {
    heddle::cudart::copy(gpu, lines(from, x_bytes, y, to, count, kind, false));
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x_bytes, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return gpu_call("cudaMemcpy2DToArray", [&](Gpu& gpu) {
    heddle::cudart::copy(gpu, {rows_of(to, x_bytes, y, 0), rows_of(from, pitch), width, height, 1, kind});
  });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x_bytes, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return gpu_call("cudaMemcpy2DFromArray", [&](Gpu& gpu) {
    heddle::cudart::copy(gpu, {rows_of(to, pitch), rows_of(from, x_bytes, y, 0), width, height, 1, kind});
  });
}
}
