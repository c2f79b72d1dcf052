// The functions of events, whose times are simulated.
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::owner_call;
using heddle::cudart::require;

namespace {

cudaError_t created(const char* function, cudaEvent_t* event, unsigned flags) {
  return gpu_call(function, [&](Gpu& gpu) {
    require(event != nullptr, "there is no place for the event");
    *event = gpu.create_event(flags);
  });
}

/// When it happened. Throws Failure if that cannot be said yet, or never.
heddle::Cycle time_of(Gpu& gpu, cudaEvent_t handle) {
  const CUevent_st& event = gpu.event(handle);
  if (!event.recorded || (event.flags & cudaEventDisableTiming) != 0)
    throw Failure(cudaErrorInvalidResourceHandle, "the event was never recorded, or was made without timing");
  if (!gpu.device.has_happened(*event.recorded)) throw Failure(cudaErrorNotReady);
  return gpu.device.time_of(*event.recorded);
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) { return created("cudaEventCreate", event, 0); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return created("cudaEventCreateWithFlags", event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return owner_call("cudaEventDestroy", event, [&](Gpu& gpu) { gpu.destroy_event(event); });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return owner_call("cudaEventRecord", stream, [&](Gpu& gpu) {
    CUevent_st& recorded = gpu.event(event);
    const CUstream_st* found = gpu.streams.find(stream);
    recorded.capture = found != nullptr ? found->capture : nullptr;
    if (!recorded.capture) recorded.recorded = gpu.device.record(gpu.streams.enter(stream));
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return owner_call("cudaEventSynchronize", event, [&](Gpu& gpu) {
    if (const auto recorded = gpu.event(event).recorded) gpu.synchronize(*recorded);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return owner_call("cudaEventQuery", event, [&](Gpu& gpu) {
    const auto recorded = gpu.event(event).recorded;
    if (recorded && !gpu.has_happened(*recorded)) throw Failure(cudaErrorNotReady);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return owner_call("cudaEventElapsedTime", start, [&](Gpu& gpu) {
    require(milliseconds != nullptr, "there is no place for the time");
    const heddle::Cycle from = time_of(gpu, start);
    const heddle::Cycle to = time_of(gpu, end);
    *milliseconds =
        static_cast<float>(to >= from ? gpu.milliseconds_of(to - from) : -gpu.milliseconds_of(from - to));
  });
}
}
