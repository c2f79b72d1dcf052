// The functions that copy and fill.
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/copy.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::CopyRequest;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::line;
using heddle::cudart::rows_of;

namespace {

CopyRequest async(CopyRequest request, cudaStream_t stream) {
  request.stream = stream;
  request.is_async = true;
  return request;
}

cudaError_t copied(const char* function, const CopyRequest& request) {
  return gpu_call(function, [&](Gpu& gpu) { heddle::cudart::copy(gpu, request); });
}

cudaError_t filled(const char* function, const CopyRequest& request, int value) {
  return gpu_call(function,
                  [&](Gpu& gpu) { heddle::cudart::fill(gpu, request, static_cast<unsigned>(value)); });
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

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* asked) {
  return gpu_call("cudaMemcpy3D", [&](Gpu& gpu) { heddle::cudart::copy(gpu, heddle::cudart::box(*asked)); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* asked, cudaStream_t stream) {
  return gpu_call("cudaMemcpy3DAsync",
                  [&](Gpu& gpu) { heddle::cudart::copy(gpu, async(heddle::cudart::box(*asked), stream)); });
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
