// Streams, events and graphs: those of the runtime API, whose handles and flags are the same.
#include "tools/cuda/runtime/driver/driver_call.h"

using heddle::cudart::in_context;

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return in_context("cuStreamCreate", [&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return in_context("cuStreamCreateWithPriority",
                    [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy(CUstream stream) {
  return in_context("cuStreamDestroy", [&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return in_context("cuStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return in_context("cuStreamQuery", [&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return in_context("cuStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return in_context("cuStreamGetPriority", [&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  return in_context("cuStreamGetFlags", [&] { return cudaStreamGetFlags(stream, flags); });
}

// What is called gets CUDA_SUCCESS, which is cudaSuccess.
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned int flags) {
  return in_context("cuStreamAddCallback", [&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), data, flags);
  });
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return in_context("cuStreamBeginCapture",
                    [&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return in_context("cuStreamEndCapture", [&] { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return in_context("cuStreamIsCapturing", [&] {
    return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status));
  });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long flags) {
  return in_context("cuGraphInstantiateWithFlags",
                    [&] { return cudaGraphInstantiateWithFlags(made, graph, flags); });
}

CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  return in_context("cuGraphLaunch", [&] { return cudaGraphLaunch(graph, stream); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return in_context("cuGraphDestroy", [&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphExecDestroy(CUgraphExec graph) {
  return in_context("cuGraphExecDestroy", [&] { return cudaGraphExecDestroy(graph); });
}

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return in_context("cuEventCreate", [&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventDestroy(CUevent event) {
  return in_context("cuEventDestroy", [&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return in_context("cuEventRecord", [&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventSynchronize(CUevent event) {
  return in_context("cuEventSynchronize", [&] { return cudaEventSynchronize(event); });
}

CUresult cuEventQuery(CUevent event) {
  return in_context("cuEventQuery", [&] { return cudaEventQuery(event); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return in_context("cuEventElapsedTime", [&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}
}
