// The functions of streams.
#include <algorithm>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/host_call.h"

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::require;

namespace {

// CUDA numbers priorities downwards. Two levels are what GPUs before compute capability 7.0 have, six later
// ones.
constexpr int kLeastPriority = 0;
constexpr int kGreatestPriority = -5;

cudaError_t created(const char* function, cudaStream_t* stream, unsigned flags, int priority) {
  return gpu_call(function, [&](Gpu& gpu) {
    require(stream != nullptr, "there is no place for the stream");
    require((flags & ~unsigned{cudaStreamNonBlocking}) == 0, "flags that no stream has");
    *stream = gpu.streams.create(flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
  });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return created("cudaStreamCreate", stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return created("cudaStreamCreateWithFlags", stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return created("cudaStreamCreateWithPriority", stream, flags, priority);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return gpu_call("cudaStreamGetPriority", [&](Gpu& gpu) {
    require(priority != nullptr, "there is no place for the priority");
    const CUstream_st* found = gpu.streams.find(stream);
    *priority = found != nullptr ? found->priority : 0;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return gpu_call("cudaStreamGetFlags", [&](Gpu& gpu) {
    require(flags != nullptr, "there is no place for the flags");
    const CUstream_st* found = gpu.streams.find(stream);
    *flags = found != nullptr ? found->flags : 0;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return gpu_call("cudaStreamDestroy", [&](Gpu& gpu) { gpu.streams.destroy(stream); });
}

// Which lines stay in L2, and how the host waits, is asked for by some programs; it changes no result.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue* value) {
  return gpu_call("cudaStreamSetAttribute", [&](Gpu& gpu) {
    require(value != nullptr, "there is no value");
    [[maybe_unused]] const CUstream_st* known = gpu.streams.find(stream);
    gpu.stream_attributes[{stream, id}] = *value;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  return gpu_call("cudaStreamGetAttribute", [&](Gpu& gpu) {
    require(value != nullptr, "there is no place for the value");
    [[maybe_unused]] const CUstream_st* known = gpu.streams.find(stream);
    const auto found = gpu.stream_attributes.find({stream, id});
    *value = found != gpu.stream_attributes.end() ? found->second : cudaStreamAttrValue{};
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return gpu_call("cudaStreamSynchronize", [&](Gpu& gpu) { gpu.synchronize(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return gpu_call("cudaStreamQuery", [&](Gpu& gpu) {
    const auto id = gpu.streams.id_of(stream);
    if (!gpu.device.is_idle(id) && !gpu.has_happened(gpu.device.record(id))) throw Failure(cudaErrorNotReady);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  return gpu_call("cudaStreamWaitEvent", [&](Gpu& gpu) {
    const CUevent_st& waited = gpu.event(event);
    // The stream joins the graph that the event was captured to: what it is given now comes after it.
    if (CUstream_st* found = gpu.streams.find(stream); waited.capture && found != nullptr) {
      found->capture = waited.capture;
      return;
    }
    if (waited.recorded) gpu.device.wait(gpu.streams.enter(stream), *waited.recorded);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return gpu_call("cudaLaunchHostFunc", [&](Gpu& gpu) {
    require(function != nullptr, "there is no function");
    gpu.give(stream,
             [=](Gpu& on, cudaStream_t to) { heddle::cudart::submit_call(on, to, [=] { function(data); }); });
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  return gpu_call("cudaStreamAddCallback", [&](Gpu& gpu) {
    require(callback != nullptr, "there is no function");
    heddle::cudart::submit_call(gpu, stream, [=] { callback(stream, cudaSuccess, data); });
  });
}
}
