// What every function of the API does around its work: one thread at a time, exceptions become CUDA's codes,
// the last error of the thread is kept, and what went wrong is said on standard error.
#pragma once

#include <functional>

#include "tools/cuda/runtime/process.h"

namespace heddle::cudart {

/// Runs the work of a function of this name, which throws Failure, or what the session throws.
cudaError_t call(const char* function, const std::function<void(Process&)>& work);

/// The same with the first GPU of which `has` is true; with the thread's if it is true of none.
cudaError_t chosen_call(const char* function, const std::function<bool(const Gpu&)>& has,
                        const std::function<void(Gpu&)>& work);

/// The same with the thread's GPU. After a kernel's fault nothing is done, and the answer is the fault's
/// code.
cudaError_t gpu_call(const char* function, const std::function<void(Gpu&)>& work);

/// The same with the GPU that has the stream, the event, the memory or the pool; with the thread's if none
/// has.
template <typename Handle>
cudaError_t owner_call(const char* function, Handle handle, const std::function<void(Gpu&)>& work) {
  return chosen_call(
      function, [handle](const Gpu& gpu) { return gpu.has(handle); }, work);
}

}  // namespace heddle::cudart
