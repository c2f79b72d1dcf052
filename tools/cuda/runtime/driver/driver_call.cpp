#include "tools/cuda/runtime/driver/driver_call.h"

#include <fmt/format.h>

namespace heddle::cudart {

namespace {

/// As long as it lives, the runtime's functions work for one of the driver's.
class OnBehalf {
 public:
  explicit OnBehalf(const char* function) : before_(HostThread::current().driver_function) {
    HostThread::current().driver_function = function;
  }
  ~OnBehalf() { HostThread::current().driver_function = before_; }
  OnBehalf(const OnBehalf&) = delete;
  OnBehalf& operator=(const OnBehalf&) = delete;

 private:
  const char* before_;
};

cudaError_t enter_context(const char* function) {
  return call(function, [](Process& process) {
    CUcontext context = current_context(process);
    if (context == nullptr) throw Failure(cudaErrorDeviceUninitialized, "no context is current");
    if (!process.contexts.is_known(context))
      throw Failure(cudaErrorContextIsDestroyed, "the current context has been destroyed");
    HostThread::current().gpu = context->device;
  });
}

}  // namespace

CUresult initialized(const char* function, const std::function<cudaError_t()>& work) {
  const OnBehalf scope(function);
  const cudaError_t ready = call(function, [](Process& process) {
    if (!process.is_driver_initialized)
      throw Failure(cudaErrorInitializationError, "cuInit has not been called");
  });
  return result_of(ready == cudaSuccess ? work() : ready);
}

CUresult in_context(const char* function, const std::function<cudaError_t()>& work) {
  return initialized(function, [&] {
    const cudaError_t entered = enter_context(function);
    return entered == cudaSuccess ? work() : entered;
  });
}

CUcontext current_context(Process& process) {
  const HostThread& thread = HostThread::current();
  if (!thread.contexts.empty()) return thread.contexts.back();
  return thread.has_used_runtime ? process.contexts.primary(thread.gpu) : nullptr;
}

int device_of(CUcontext context) { return Process::get().contexts.is_known(context) ? context->device : -1; }

void require_device(Process& process, CUdevice device) {
  if (device < 0 || device >= process.gpu_count())
    throw Failure(cudaErrorInvalidDevice,
                  fmt::format("there is no device {}; there are {}", device, process.gpu_count()));
}

}  // namespace heddle::cudart
