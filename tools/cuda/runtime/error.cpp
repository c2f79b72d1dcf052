// Errors: their names and texts, and the last one of each thread.
#include <algorithm>
#include <array>

#include "tools/cuda/runtime/api.h"
#include "tools/cuda/runtime/process.h"

namespace heddle::cudart {

namespace {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

constexpr ErrorText kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
#define HEDDLE_ERROR(name, text) {cudaError##name, "cudaError" #name, text},
#include "tools/cuda/runtime/error_names.def"
#undef HEDDLE_ERROR
};

const ErrorText* find(cudaError_t code) {
  const auto* found = std::ranges::find(kErrors, code, &ErrorText::code);
  return found == std::end(kErrors) ? nullptr : found;
}

/// What the thread's GPU answers since a kernel failed: such an error stays.
std::optional<cudaError_t> sticky_error(HostThread& thread) {
  Process& process = Process::get();
  std::unique_lock lock(process.mutex, std::defer_lock);
  if (!heddle::cudart::Turn::is_mine()) lock.lock();
  return process.sticky_of(thread.gpu);
}

cudaError_t last_error(bool forget) {
  HostThread& thread = HostThread::current();
  const cudaError_t last = thread.last_error;
  if (last != cudaSuccess && forget) thread.last_error = sticky_error(thread).value_or(cudaSuccess);
  return last;
}

}  // namespace

}  // namespace heddle::cudart

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  const auto* found = heddle::cudart::find(error);
  return found != nullptr ? found->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const auto* found = heddle::cudart::find(error);
  return found != nullptr ? found->text : "unrecognized error code";
}

cudaError_t cudaGetLastError() { return heddle::cudart::last_error(true); }
cudaError_t cudaPeekAtLastError() { return heddle::cudart::last_error(false); }
}
