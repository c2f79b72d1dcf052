// What every function of the driver API does around its work: cuInit must have been called, a context must be
// current, and the runtime's codes become the driver's.
#pragma once

#include <functional>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/driver_error.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

/// Runs the work of a function of this name, which calls functions of the runtime API, or gpu_call().
CUresult initialized(const char* function, const std::function<cudaError_t()>& work);
/// The same on the device of the thread's context.
CUresult in_context(const char* function, const std::function<cudaError_t()>& work);

/// The thread's context; null if it has none.
CUcontext current_context(Process& process);

/// The device of a context; -1: there is no such context.
int device_of(CUcontext context);

/// Throws Failure if there is no such device.
void require_device(Process& process, CUdevice device);

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace heddle::cudart
