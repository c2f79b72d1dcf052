// Contexts: made, kept on a stack for each thread, and destroyed; the devices' primary ones.
#include "tools/cuda/runtime/driver/driver_call.h"

using heddle::cudart::call;
using heddle::cudart::device_of;
using heddle::cudart::Failure;
using heddle::cudart::HostThread;
using heddle::cudart::in_context;
using heddle::cudart::initialized;
using heddle::cudart::Process;
using heddle::cudart::require;
using heddle::cudart::require_device;

namespace {

constexpr unsigned kApiVersion = 3020;  // of contexts that cuCtxCreate_v2 makes

/// Work on the process, with its mutex held.
CUresult with_process(const char* function, const std::function<void(Process&)>& work) {
  return initialized(function, [&] { return call(function, work); });
}

void require_known(const Process& process, CUcontext context) {
  if (!process.contexts.is_known(context))
    throw Failure(cudaErrorDeviceUninitialized, "there is no such context");
}

void make_current(CUcontext context) {
  HostThread::current().contexts.push_back(context);
  HostThread::current().gpu = context->device;
}

/// What the device has is given back as soon as nobody holds a context of it.
void reset_if_free(Process& process, int device) {
  if (!process.contexts.holds(device) && !process.used_by_runtime.contains(device)) process.reset(device);
}

void create(Process& process, CUcontext* context, unsigned flags, CUdevice device) {
  require(context != nullptr, "there is no place for the context");
  require_device(process, device);
  process.gpu(device);  // its file must be right
  *context = process.contexts.create(device, flags);
  make_current(*context);
}

}  // namespace

extern "C" {

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return with_process("cuCtxCreate", [&](Process& process) { create(process, context, flags, device); });
}

// Later forms: which SMs a context may use, and graphics, are not asked for here.
CUresult cuCtxCreate_v3(CUcontext* context, void*, int, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams*, unsigned int flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  return with_process("cuCtxDestroy", [&](Process& process) {
    require_known(process, context);
    require(!process.contexts.is_primary(context), "a device's primary context is released, not destroyed");
    const int device = context->device;
    auto& stack = HostThread::current().contexts;
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    process.contexts.destroy(context);
    reset_if_free(process, device);
  });
}

CUresult cuCtxPushCurrent(CUcontext context) {
  return with_process("cuCtxPushCurrent", [&](Process& process) {
    require_known(process, context);
    make_current(context);
  });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  return with_process("cuCtxPopCurrent", [&](Process& process) {
    CUcontext current = heddle::cudart::current_context(process);
    if (current == nullptr) throw Failure(cudaErrorDeviceUninitialized, "no context is current");
    auto& thread = HostThread::current();
    if (!thread.contexts.empty()) thread.contexts.pop_back();
    if (context != nullptr) *context = current;
    if (!thread.contexts.empty()) thread.gpu = thread.contexts.back()->device;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return with_process("cuCtxSetCurrent", [&](Process& process) {
    auto& stack = HostThread::current().contexts;
    if (context != nullptr) require_known(process, context);
    if (!stack.empty()) stack.pop_back();
    if (context != nullptr) make_current(context);
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return with_process("cuCtxGetCurrent", [&](Process& process) {
    require(context != nullptr, "there is no place for the context");
    *context = heddle::cudart::current_context(process);
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context("cuCtxGetDevice", [&] { return cudaGetDevice(device); });
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  return in_context("cuCtxGetFlags", [&] {
    return call("cuCtxGetFlags", [&](Process& process) {
      require(flags != nullptr, "there is no place for the flags");
      *flags = heddle::cudart::current_context(process)->flags;
    });
  });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  return with_process("cuCtxGetApiVersion", [&](Process& process) {
    if (context != nullptr) require_known(process, context);
    require(version != nullptr, "there is no place for the version");
    *version = kApiVersion;
  });
}

CUresult cuCtxSynchronize() { return in_context("cuCtxSynchronize", cudaDeviceSynchronize); }

// Limits have the same numbers in both APIs.
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context("cuCtxSetLimit",
                    [&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return in_context("cuCtxGetLimit",
                    [&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

// A device's contexts share its memory, and so they share its peers.
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  return in_context("cuCtxEnablePeerAccess", [&] {
    const int device = device_of(peer);
    return device < 0 ? cudaErrorDeviceUninitialized : cudaDeviceEnablePeerAccess(device, flags);
  });
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return in_context("cuCtxDisablePeerAccess", [&] {
    const int device = device_of(peer);
    return device < 0 ? cudaErrorDeviceUninitialized : cudaDeviceDisablePeerAccess(device);
  });
}

// What is asked of caches changes no result: the GPU file decides.
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return in_context("cuCtxGetCacheConfig", [&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = CU_FUNC_CACHE_PREFER_NONE;
    return cudaSuccess;
  });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) {
  return in_context("cuCtxSetCacheConfig", [] { return cudaSuccess; });
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig) {
  return in_context("cuCtxSetSharedMemConfig", [] { return cudaSuccess; });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context("cuCtxGetStreamPriorityRange",
                    [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return with_process("cuDevicePrimaryCtxRetain", [&](Process& process) {
    require(context != nullptr, "there is no place for the context");
    require_device(process, device);
    process.gpu(device);
    *context = process.contexts.primary(device);
    ++(*context)->retained;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return with_process("cuDevicePrimaryCtxRelease", [&](Process& process) {
    require_device(process, device);
    CUcontext primary = process.contexts.primary(device);
    if (primary->retained == 0)
      throw Failure(cudaErrorDeviceUninitialized, "the primary context is not retained");
    --primary->retained;
    reset_if_free(process, device);
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return with_process("cuDevicePrimaryCtxReset", [&](Process& process) {
    require_device(process, device);
    process.reset(device);
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return with_process("cuDevicePrimaryCtxSetFlags", [&](Process& process) {
    require_device(process, device);
    process.contexts.primary(device)->flags = flags;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return with_process("cuDevicePrimaryCtxGetState", [&](Process& process) {
    require_device(process, device);
    require(flags != nullptr && active != nullptr, "there is no place for the state");
    CUcontext primary = process.contexts.primary(device);
    *flags = primary->flags;
    *active = primary->retained != 0 || process.used_by_runtime.contains(device) ? 1 : 0;
  });
}
}
