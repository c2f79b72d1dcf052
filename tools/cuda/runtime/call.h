// What every function of the API does around its work: one thread at a time, exceptions become CUDA's codes,
// the last error of the thread is kept, and what went wrong is said on standard error.
#pragma once

#include <functional>

#include "tools/cuda/runtime/process.h"

namespace heddle::cudart {

/// Runs the work of a function of this name, which throws Failure, or what the session throws.
cudaError_t call(const char* function, const std::function<void(Process&)>& work);

/// The same with the thread's GPU. After a kernel's fault nothing is done, and the answer is the fault's
/// code.
cudaError_t gpu_call(const char* function, const std::function<void(Gpu&)>& work);

}  // namespace heddle::cudart
