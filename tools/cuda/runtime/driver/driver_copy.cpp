// Copies and fills.
#include <fmt/format.h>

#include "tools/cuda/runtime/array.h"
#include "tools/cuda/runtime/copy.h"
#include "tools/cuda/runtime/driver/driver_call.h"

using heddle::cudart::CopyRequest;
using heddle::cudart::device_of;
using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::in_context;
using heddle::cudart::owner_call;
using heddle::cudart::pointer_of;
using heddle::cudart::require;
using heddle::cudart::Rows;
using heddle::cudart::rows_of;

namespace {

CUresult copied(const char* function, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return in_context(function, [&] { return cudaMemcpy(to, from, bytes, kind); });
}

CUresult copied(const char* function, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                CUstream stream) {
  return in_context(function, [&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

/// One side of a copy of rows, as the driver's structures have it.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t x_bytes, y, z;
  std::size_t pitch, height;
};

Rows rows_at(const Side& side) {
  if (side.type == CU_MEMORYTYPE_ARRAY) return rows_of(side.array, side.x_bytes, side.y, side.z);
  const bool is_host = side.type == CU_MEMORYTYPE_HOST;
  require(is_host || side.type == CU_MEMORYTYPE_DEVICE || side.type == CU_MEMORYTYPE_UNIFIED,
          fmt::format("{} is no kind of memory", static_cast<int>(side.type)));
  Rows rows = rows_of(is_host ? side.host : pointer_of(side.device), side.pitch, side.height);
  rows.first += side.z * rows.slice + side.y * rows.pitch + side.x_bytes;
  return rows;
}

/// Where both sides lie is found by their addresses, as with cudaMemcpyDefault. A pitch of 0: rows lie behind
/// one another.
CopyRequest request_of(Side to, Side from, std::size_t width, std::size_t height, std::size_t depth) {
  for (Side* side : {&to, &from}) {
    if (side->pitch == 0) side->pitch = width + side->x_bytes;
    if (side->height == 0) side->height = height;
  }
  return {rows_at(to), rows_at(from), width, height, depth, cudaMemcpyDefault};
}

CopyRequest request_of(const CUDA_MEMCPY2D* asked) {
  require(asked != nullptr, "nothing is described");
  const CUDA_MEMCPY2D& c = *asked;
  return request_of(
      {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, 0, c.dstPitch, c.Height},
      {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, 0, c.srcPitch, c.Height},
      c.WidthInBytes, c.Height, 1);
}

CopyRequest request_of(const CUDA_MEMCPY3D* asked) {
  require(asked != nullptr, "nothing is described");
  const CUDA_MEMCPY3D& c = *asked;
  return request_of({c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ,
                     c.dstPitch, c.dstHeight},
                    {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ,
                     c.srcPitch, c.srcHeight},
                    c.WidthInBytes, c.Height, c.Depth);
}

template <typename Asked>
CUresult rows_copied(const char* function, const Asked* asked, CUstream stream, bool is_async) {
  return in_context(function, [&] {
    return owner_call(function, stream, [&](Gpu& gpu) {
      CopyRequest request = request_of(asked);
      request.stream = stream;
      request.is_async = is_async;
      heddle::cudart::copy(gpu, request);
    });
  });
}

/// So many elements of these bytes in each row.
CUresult filled(const char* function, CUdeviceptr to, std::size_t pitch, unsigned value,
                unsigned element_bytes, std::size_t width, std::size_t height, CUstream stream) {
  return in_context(function, [&] {
    return owner_call(function, stream, [&](Gpu& gpu) {
      require(to % element_bytes == 0, fmt::format("{:#x} is no multiple of {}", to, element_bytes));
      CopyRequest request{rows_of(pointer_of(to), pitch), {}, width * element_bytes, height};
      request.stream = stream;
      heddle::cudart::fill(gpu, request, value, element_bytes);
    });
  });
}

CUresult filled(const char* function, CUdeviceptr to, unsigned value, unsigned element_bytes,
                std::size_t count, CUstream stream) {
  return filled(function, to, count * element_bytes, value, element_bytes, count, 1, stream);
}

}  // namespace

extern "C" {

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copied("cuMemcpy", pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copied("cuMemcpyAsync", pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return copied("cuMemcpyHtoD", pointer_of(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return copied("cuMemcpyDtoH", to, pointer_of(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return copied("cuMemcpyDtoD", pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return copied("cuMemcpyHtoDAsync", pointer_of(to), from, bytes, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copied("cuMemcpyDtoHAsync", to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copied("cuMemcpyDtoDAsync", pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice,
                stream);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      size_t bytes) {
  return in_context("cuMemcpyPeer", [&] {
    return cudaMemcpyPeer(pointer_of(to), device_of(to_context), pointer_of(from), device_of(from_context),
                          bytes);
  });
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream) {
  return in_context("cuMemcpyPeerAsync", [&] {
    return cudaMemcpyPeerAsync(pointer_of(to), device_of(to_context), pointer_of(from),
                               device_of(from_context), bytes, stream);
  });
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) { return rows_copied("cuMemcpy2D", copy, nullptr, false); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
  return rows_copied("cuMemcpy2DUnaligned", copy, nullptr, false);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return rows_copied("cuMemcpy2DAsync", copy, stream, true);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) { return rows_copied("cuMemcpy3D", copy, nullptr, false); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return rows_copied("cuMemcpy3DAsync", copy, stream, true);
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return filled("cuMemsetD8", to, value, 1, count, nullptr);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return filled("cuMemsetD16", to, value, 2, count, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  return filled("cuMemsetD32", to, value, 4, count, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return filled("cuMemsetD8Async", to, value, 1, count, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return filled("cuMemsetD16Async", to, value, 2, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return filled("cuMemsetD32Async", to, value, 4, count, stream);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return filled("cuMemsetD2D8", to, pitch, value, 1, width, height, nullptr);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return filled("cuMemsetD2D16", to, pitch, value, 2, width, height, nullptr);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
  return filled("cuMemsetD2D32", to, pitch, value, 4, width, height, nullptr);
}
}
