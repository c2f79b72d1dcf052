// The functions that copy and fill.
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/copy.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::CopyRequest;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::Rows;

namespace {

Rows rows_of(const void* first, std::size_t pitch, std::size_t height = 0) {
  return {static_cast<std::byte*>(const_cast<void*>(first)), pitch, pitch * height};
}

CopyRequest line(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return {rows_of(to, bytes), rows_of(from, bytes), bytes, 1, 1, kind};
}

CopyRequest async(CopyRequest request, cudaStream_t stream) {
  request.stream = stream;
  request.is_async = true;
  return request;
}

cudaError_t copied(const char* function, const CopyRequest& request) {
  return gpu_call(function, [&](Gpu& gpu) { heddle::cudart::copy(gpu, request); });
}

cudaError_t filled(const char* function, const CopyRequest& request, int value) {
  return gpu_call(function, [&](Gpu& gpu) { heddle::cudart::fill(gpu, request, value); });
}

/// Where a box of bytes begins in memory with this pitch.
Rows rows_of(const cudaPitchedPtr& memory, const cudaPos& at) {
  Rows rows = rows_of(memory.ptr, memory.pitch, memory.ysize);
  rows.first += at.z * rows.slice + at.y * rows.pitch + at.x;
  return rows;
}

CopyRequest box(const cudaMemcpy3DParms& asked) {
  CopyRequest request;
  request.to = rows_of(asked.dstPtr, asked.dstPos);
  request.from = rows_of(asked.srcPtr, asked.srcPos);
  request.width = asked.extent.width;
  request.height = asked.extent.height;
  request.depth = asked.extent.depth;
  request.kind = asked.kind;
  return request;
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return copied("cudaMemcpy", line(to, from, count, kind));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copied("cudaMemcpyAsync", async(line(to, from, count, kind), stream));
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t count) {
  return copied("cudaMemcpyPeer", line(to, from, count, cudaMemcpyDefault));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t count, cudaStream_t stream) {
  return copied("cudaMemcpyPeerAsync", async(line(to, from, count, cudaMemcpyDefault), stream));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copied("cudaMemcpy2D", {rows_of(to, to_pitch), rows_of(from, from_pitch), width, height, 1, kind});
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copied("cudaMemcpy2DAsync",
                async({rows_of(to, to_pitch), rows_of(from, from_pitch), width, height, 1, kind}, stream));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copied("cudaMemcpy3D", box(*parameters));
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copied("cudaMemcpy3DAsync", async(box(*parameters), stream));
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  return filled("cudaMemset", line(pointer, nullptr, count, cudaMemcpyDefault), value);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return filled("cudaMemsetAsync", async(line(pointer, nullptr, count, cudaMemcpyDefault), stream), value);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return filled("cudaMemset2D", {rows_of(pointer, pitch), {}, width, height}, value);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return filled(
      "cudaMemset3D",
      {rows_of(pointer.ptr, pointer.pitch, pointer.ysize), {}, extent.width, extent.height, extent.depth},
      value);
}
}
