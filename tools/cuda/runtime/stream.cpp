// The functions of streams.
#include <algorithm>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/host_call.h"
#include "tools/cuda/runtime/persisting.h"

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::owner_call;
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

/// GPUs are simulated one after the other: the other one goes on until the event has happened.
void wait_for(Gpu& gpu, cudaStream_t stream, Gpu& other, const CUevent_st& event) {
  if (event.capture) throw Failure(cudaErrorNotSupported, "a graph is of one GPU");
  if (!event.recorded) return;
  if (!other.device.has_happened(*event.recorded)) heddle::cudart::settle(other, event.recorded);
  if (other.sticky) throw Failure(*other.sticky);
  gpu.streams.delay(stream, other.device.time_of(*event.recorded));
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
  return owner_call("cudaStreamGetPriority", stream, [&](Gpu& gpu) {
    require(priority != nullptr, "there is no place for the priority");
    const CUstream_st* found = gpu.streams.find(stream);
    *priority = found != nullptr ? found->priority : 0;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return owner_call("cudaStreamGetFlags", stream, [&](Gpu& gpu) {
    require(flags != nullptr, "there is no place for the flags");
    const CUstream_st* found = gpu.streams.find(stream);
    *flags = found != nullptr ? found->flags : 0;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return owner_call("cudaStreamDestroy", stream, [&](Gpu& gpu) { gpu.streams.destroy(stream); });
}

// Which lines stay in L2, and how the host waits, is asked for by some programs; it changes no result, and
// here no time, either.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue* value) {
  return owner_call("cudaStreamSetAttribute", stream, [&](Gpu& gpu) {
    require(value != nullptr, "there is no value");
    [[maybe_unused]] const CUstream_st* known = gpu.streams.find(stream);
    if (id == cudaStreamAttributeAccessPolicyWindow)
      heddle::cudart::note_window(gpu, value->accessPolicyWindow);
    gpu.stream_attributes[{stream, id}] = *value;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  return owner_call("cudaStreamGetAttribute", stream, [&](Gpu& gpu) {
    require(value != nullptr, "there is no place for the value");
    [[maybe_unused]] const CUstream_st* known = gpu.streams.find(stream);
    const auto found = gpu.stream_attributes.find({stream, id});
    *value = found != gpu.stream_attributes.end() ? found->second : cudaStreamAttrValue{};
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return owner_call("cudaStreamSynchronize", stream, [&](Gpu& gpu) { gpu.synchronize(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return owner_call("cudaStreamQuery", stream, [&](Gpu& gpu) {
    const auto id = gpu.streams.id_of(stream);
    if (!gpu.device.is_idle(id) && !gpu.has_happened(gpu.device.record(id))) throw Failure(cudaErrorNotReady);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  return owner_call("cudaStreamWaitEvent", stream, [&](Gpu& gpu) {
    Gpu& other = heddle::cudart::Process::get().peers.owner_of(event);
    const CUevent_st& waited = other.event(event);
    if (&other != &gpu) return wait_for(gpu, stream, other, waited);
    // The stream joins the graph that the event was captured to: what it is given now comes after it.
    if (CUstream_st* found = gpu.streams.find(stream); waited.capture && found != nullptr) {
      found->capture = waited.capture;
      return;
    }
    if (waited.recorded) gpu.device.wait(gpu.streams.enter(stream), *waited.recorded);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return owner_call("cudaLaunchHostFunc", stream, [&](Gpu& gpu) {
    require(function != nullptr, "there is no function");
    gpu.give(stream,
             [=](Gpu& on, cudaStream_t to) { heddle::cudart::submit_call(on, to, [=] { function(data); }); });
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  return owner_call("cudaStreamAddCallback", stream, [&](Gpu& gpu) {
    require(callback != nullptr, "there is no function");
    heddle::cudart::submit_call(gpu, stream, [=] { callback(stream, cudaSuccess, data); });
  });
}
}
