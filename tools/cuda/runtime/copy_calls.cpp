// The functions that copy and fill.
#include <fmt/format.h>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/copy.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::CopyRequest;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::line;
using heddle::cudart::owner_call;
using heddle::cudart::rows_of;

namespace {

CopyRequest async(CopyRequest request, cudaStream_t stream) {
  request.stream = stream;
  request.is_async = true;
  return request;
}

cudaError_t copied(const char* function, const CopyRequest& request) {
  return owner_call(function, request.stream, [&](Gpu& gpu) { heddle::cudart::copy(gpu, request); });
}

/// A pointer, and the GPU that a program says it is of.
struct PeerPointer {
  const void* pointer;
  int device;
};

void require_on(Gpu& gpu, const PeerPointer& side) {
  const int count = heddle::cudart::Process::get().gpu_count();
  if (side.device < 0 || side.device >= count)
    throw heddle::cudart::Failure(cudaErrorInvalidDevice,
                                  fmt::format("there is no GPU {}; there are {}", side.device, count));
  const auto found = heddle::cudart::Process::get().peers.find(gpu, side.pointer);
  heddle::cudart::require(found.owner != nullptr && found.owner->index == side.device,
                          fmt::format("{} is no address of GPU {}", side.pointer, side.device));
}

cudaError_t copied_between(const char* function, const PeerPointer& to, const PeerPointer& from,
                           const CopyRequest& request) {
  return owner_call(function, request.stream, [&](Gpu& gpu) {
    if (request.width == 0) return;
    require_on(gpu, to);
    require_on(gpu, from);
    heddle::cudart::copy(gpu, request);
  });
}

cudaError_t filled(const char* function, const CopyRequest& request, int value) {
  return owner_call(function, request.stream,
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

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t count) {
  return copied_between("cudaMemcpyPeer", {to, to_device}, {from, from_device},
                        line(to, from, count, cudaMemcpyDeviceToDevice));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t count,
                                cudaStream_t stream) {
  return copied_between("cudaMemcpyPeerAsync", {to, to_device}, {from, from_device},
                        async(line(to, from, count, cudaMemcpyDeviceToDevice), stream));
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
  return owner_call("cudaMemcpy3DAsync", stream,
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
