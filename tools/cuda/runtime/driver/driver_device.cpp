// cuInit, versions, errors, and what a program can ask of a device.
#include <algorithm>
#include <cstring>

#include "tools/cuda/runtime/device_properties.h"
#include "tools/cuda/runtime/driver/driver_call.h"

using heddle::cudart::call;
using heddle::cudart::initialized;
using heddle::cudart::Process;
using heddle::cudart::require;
using heddle::cudart::require_device;

namespace {

/// Runs `work` with the properties of the device.
template <typename Work>
CUresult with_properties(const char* function, CUdevice device, const Work& work) {
  return initialized(function, [&] {
    return call(function, [&](Process& process) {
      require_device(process, device);
      work(heddle::cudart::properties_of(process.gpu(device).spec(), device));
    });
  });
}

}  // namespace

extern "C" {

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = heddle::cudart::name_of(error);
  return *name != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// The texts are those of the runtime's errors of the same number.
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = heddle::cudart::name_of(error) != nullptr ? cudaGetErrorString(static_cast<cudaError_t>(error))
                                                    : nullptr;
  return *text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuInit(unsigned int flags) {
  return heddle::cudart::result_of(call("cuInit", [&](Process& process) {
    require(flags == 0, "flags that cuInit does not have");
    [[maybe_unused]] const int count = process.gpu_count();  // the environment must be right
    process.is_driver_initialized = true;
  }));
}

CUresult cuDriverGetVersion(int* version) { return heddle::cudart::result_of(cudaDriverGetVersion(version)); }

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return initialized("cuDeviceGet", [&] {
    return call("cuDeviceGet", [&](Process& process) {
      require(device != nullptr, "there is no place for the device");
      require_device(process, ordinal);
      *device = ordinal;
    });
  });
}

CUresult cuDeviceGetCount(int* count) {
  return initialized("cuDeviceGetCount", [&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return with_properties("cuDeviceGetName", device, [&](const cudaDeviceProp& properties) {
    require(name != nullptr && length > 0, "there is no place for the name");
    std::strncpy(name, properties.name, static_cast<std::size_t>(length));
    name[length - 1] = '\0';
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return with_properties("cuDeviceGetUuid", device, [&](const cudaDeviceProp& properties) {
    require(uuid != nullptr, "there is no place for the UUID");
    std::memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
  });
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return with_properties("cuDeviceTotalMem", device, [&](const cudaDeviceProp& properties) {
    require(bytes != nullptr, "there is no place for the size");
    *bytes = properties.totalGlobalMem;
  });
}

// Attributes have the same numbers in both APIs.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return initialized("cuDeviceGetAttribute", [&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return with_properties("cuDeviceComputeCapability", device, [&](const cudaDeviceProp& properties) {
    require(major != nullptr && minor != nullptr, "there is no place for the compute capability");
    *major = properties.major;
    *minor = properties.minor;
  });
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return initialized("cuDeviceGetPCIBusId", [&] { return cudaDeviceGetPCIBusId(id, length, device); });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return initialized("cuDeviceCanAccessPeer", [&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

// Attributes have the same numbers in both APIs.
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  return initialized("cuDeviceGetP2PAttribute", [&] {
    return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to);
  });
}

CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }
}
