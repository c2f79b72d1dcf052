// Functions of the API that are not there yet: programs that call them link, and are told so when they do.
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

namespace {

cudaError_t unsupported(const char* function) {
  return heddle::cudart::call(function, [](heddle::cudart::Process&) {
    throw heddle::cudart::Failure(cudaErrorNotSupported, "Heddle's runtime does not have this function yet");
  });
}

}  // namespace

// The parameters of each function are those of its prototype.
#define HEDDLE_UNSUPPORTED(name, ...) \
  cudaError_t name(__VA_ARGS__) { return unsupported(#name); }

extern "C" {

// Programs of several processes: each has GPUs of its own.
HEDDLE_UNSUPPORTED(cudaIpcGetMemHandle, cudaIpcMemHandle_t*, void*)
HEDDLE_UNSUPPORTED(cudaIpcOpenMemHandle, void**, cudaIpcMemHandle_t, unsigned int)
HEDDLE_UNSUPPORTED(cudaIpcCloseMemHandle, void*)
HEDDLE_UNSUPPORTED(cudaIpcGetEventHandle, cudaIpcEventHandle_t*, cudaEvent_t)
HEDDLE_UNSUPPORTED(cudaIpcOpenEventHandle, cudaEvent_t*, cudaIpcEventHandle_t)
}
