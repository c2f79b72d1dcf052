// The functions of devices: which there are, and waiting for one.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/device_properties.h"
#include "tools/cuda/runtime/failure.h"

using heddle::cudart::call;
using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::HostThread;
using heddle::cudart::Process;
using heddle::cudart::require;

namespace {

void require_gpu(Process& process, int device) {
  if (device < 0 || device >= process.gpu_count())
    throw Failure(cudaErrorInvalidDevice,
                  fmt::format("there is no GPU {}; there are {}", device, process.gpu_count()));
}

/// As CUDA has them when nothing is set.
std::size_t default_limit(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
      return 7 << 20;
    case cudaLimitMallocHeapSize:
      return heddle::cudart::kUsualHeapBytes;
    case cudaLimitDevRuntimeSyncDepth:
      return 2;
    case cudaLimitDevRuntimePendingLaunchCount:
      return 2048;
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    case cudaLimitPersistingL2CacheSize:
      return 0;
  }
  throw Failure(cudaErrorUnsupportedLimit, fmt::format("{} is no limit", static_cast<int>(limit)));
}

/// What can be set aside of L2, at most. Throws Failure if nothing can.
std::size_t persisting_bytes(const Gpu& gpu, std::size_t asked) {
  const int most = heddle::cudart::properties_of(gpu.spec(), gpu.index).persistingL2CacheMaxSize;
  if (most == 0)
    throw Failure(cudaErrorUnsupportedLimit, "GPUs before compute capability 8.0 set no L2 aside");
  return std::min(asked, static_cast<std::size_t>(most));
}

/// Throws Failure unless the two are different GPUs.
void require_peer(Process& process, int device, int peer) {
  require_gpu(process, peer);
  if (device == peer) throw Failure(cudaErrorInvalidDevice, fmt::format("GPU {} is no peer of itself", peer));
}

/// Of any two GPUs: over PCI Express there are neither atomics of both nor arrays of the other.
int peer_attribute(cudaDeviceP2PAttr attribute) {
  switch (attribute) {
    case cudaDevP2PAttrAccessSupported:
      return 1;
    case cudaDevP2PAttrPerformanceRank:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      return 0;
  }
  throw Failure(cudaErrorInvalidValue,
                fmt::format("{} is no attribute of two GPUs", static_cast<int>(attribute)));
}

cudaError_t accepted(const char* function) {
  return call(function, [](Process&) {});
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call("cudaGetDeviceCount", [&](Process& process) {
    require(count != nullptr, "there is no place for the count");
    *count = process.gpu_count();
  });
}

cudaError_t cudaSetDevice(int device) {
  return call("cudaSetDevice", [&](Process& process) {
    require_gpu(process, device);
    HostThread& thread = HostThread::current();
    thread.gpu = device;
    if (!thread.contexts.empty()) thread.contexts.back() = process.contexts.primary(device);
  });
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }

cudaError_t cudaGetDevice(int* device) {
  return call("cudaGetDevice", [&](Process&) {
    require(device != nullptr, "there is no place for the number");
    *device = HostThread::current().gpu;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return call("cudaChooseDevice", [&](Process&) {
    require(device != nullptr, "there is no place for the number");
    *device = 0;
  });
}

cudaError_t cudaSetValidDevices(int*, int) { return accepted("cudaSetValidDevices"); }

cudaError_t cudaDeviceSynchronize() {
  return gpu_call("cudaDeviceSynchronize", [](Gpu& gpu) {
    gpu.synchronize();
    gpu.launches.collect(gpu.device);
  });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset() {
  return call("cudaDeviceReset", [](Process& process) {
    process.reset(HostThread::current().gpu);
    HostThread::current().last_error = cudaSuccess;
  });
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

[[gnu::weak]] cudaError_t cudaRuntimeGetVersion(int* version) {
  return call("cudaRuntimeGetVersion", [&](Process&) {
    require(version != nullptr, "there is no place for the version");
    *version = CUDART_VERSION;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call("cudaDeviceGetLimit", [&](Process& process) {
    require(value != nullptr, "there is no place for the limit");
    const auto& limits = process.gpu(HostThread::current().gpu).limits;
    const auto found = limits.find(limit);
    *value = found != limits.end() ? found->second : default_limit(limit);
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return gpu_call("cudaDeviceSetLimit", [&](Gpu& gpu) {
    default_limit(limit);  // throws if there is none
    if (limit == cudaLimitPersistingL2CacheSize) value = persisting_bytes(gpu, value);
    // The others change no result.
    if (limit == cudaLimitMallocHeapSize) gpu.set_heap(value);
    gpu.limits[limit] = value;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call("cudaDeviceGetPCIBusId", [&](Process& process) {
    require_gpu(process, device);
    require(id != nullptr && length > 0, "there is no place for the name");
    std::snprintf(id, static_cast<std::size_t>(length), "0000:%02x:00.0", static_cast<unsigned>(device) + 1);
  });
}

// All GPUs of a program reach each other, as over PCI Express.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call("cudaDeviceCanAccessPeer", [&](Process& process) {
    require_gpu(process, device);
    require_gpu(process, peer);
    require(can != nullptr, "there is no place for the answer");
    *can = device != peer ? 1 : 0;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to) {
  return call("cudaDeviceGetP2PAttribute", [&](Process& process) {
    require(value != nullptr, "there is no place for the answer");
    require_gpu(process, from);
    require_peer(process, from, to);
    *value = peer_attribute(attribute);
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return gpu_call("cudaDeviceEnablePeerAccess", [&](Gpu& gpu) {
    Process& process = Process::get();
    require_peer(process, gpu.index, peer);
    require(flags == 0, "peer access has no flags");
    process.peers.enable(gpu.index, peer);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return gpu_call("cudaDeviceDisablePeerAccess", [&](Gpu& gpu) {
    require_gpu(Process::get(), peer);
    Process::get().peers.disable(gpu.index, peer);
  });
}

// Settings that change no result. What they ask for of caches is decided by the GPU file.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return accepted("cudaDeviceSetCacheConfig"); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return accepted("cudaDeviceSetSharedMemConfig");
}
cudaError_t cudaSetDeviceFlags(unsigned int) { return accepted("cudaSetDeviceFlags"); }
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (flags != nullptr) *flags = cudaDeviceScheduleAuto;
  return accepted("cudaGetDeviceFlags");
}
cudaError_t cudaCtxResetPersistingL2Cache() { return accepted("cudaCtxResetPersistingL2Cache"); }
cudaError_t cudaProfilerStart() { return accepted("cudaProfilerStart"); }
cudaError_t cudaProfilerStop() { return accepted("cudaProfilerStop"); }
}
