// Memory: given, taken, and asked about.
#include <fmt/format.h>

#include <cstring>

#include "tools/cuda/runtime/driver/driver_call.h"

using heddle::cudart::Allocation;
using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::in_context;
using heddle::cudart::MemoryKind;
using heddle::cudart::owner_call;
using heddle::cudart::pointer_of;
using heddle::cudart::require;

namespace {

/// Device memory that a function of the runtime gives; of no bytes there is none.
template <typename Allocate>
CUresult allocated(const char* function, CUdeviceptr* pointer, std::size_t bytes, const Allocate& allocate) {
  return in_context(function, [&] {
    if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
    void* made = nullptr;
    const cudaError_t error = allocate(&made);
    if (error == cudaSuccess) *pointer = reinterpret_cast<CUdeviceptr>(made);
    return error;
  });
}

const Allocation& allocation_at(const Gpu& gpu, CUdeviceptr pointer) {
  const Allocation* found = gpu.memory.find(pointer_of(pointer));
  if (found == nullptr)
    throw Failure(cudaErrorInvalidValue, fmt::format("{:#x} is no address that CUDA knows", pointer));
  return *found;
}

template <typename Value>
void put(void* place, Value value) {
  std::memcpy(place, &value, sizeof value);
}

/// Values have the sizes that NVIDIA's reference gives.
void put_attribute(Gpu& gpu, void* place, CUpointer_attribute attribute, CUdeviceptr pointer) {
  const Allocation& found = allocation_at(gpu, pointer);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return put(place, heddle::cudart::current_context(heddle::cudart::Process::get()));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put(place,
                 static_cast<unsigned>(found.is_on_device() ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return put(place, pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      require(found.kind != MemoryKind::Device, "the host cannot use device memory");
      return put(place, pointer);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return put(place, static_cast<unsigned>(found.kind == MemoryKind::Managed));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return put(place, gpu.index);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return put(place, found.address);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return put(place, static_cast<std::size_t>(found.bytes));
  }
  throw Failure(cudaErrorNotSupported,
                fmt::format("attribute {} of pointers is not known here", static_cast<int>(attribute)));
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* available, size_t* total) {
  return in_context("cuMemGetInfo", [&] { return cudaMemGetInfo(available, total); });
}

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  return allocated("cuMemAlloc", pointer, bytes, [&](void** made) { return cudaMalloc(made, bytes); });
}

CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height, unsigned int) {
  return allocated("cuMemAllocPitch", pointer, width * height,
                   [&](void** made) { return cudaMallocPitch(made, pitch, width, height); });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
  return allocated("cuMemAllocManaged", pointer, bytes,
                   [&](void** made) { return cudaMallocManaged(made, bytes, flags); });
}

CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return allocated("cuMemAllocAsync", pointer, bytes,
                   [&](void** made) { return cudaMallocAsync(made, bytes, stream); });
}

CUresult cuMemFree(CUdeviceptr pointer) {
  return in_context("cuMemFree", [&] { return cudaFree(pointer_of(pointer)); });
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return in_context("cuMemFreeAsync", [&] { return cudaFreeAsync(pointer_of(pointer), stream); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* begin, size_t* bytes, CUdeviceptr pointer) {
  return in_context("cuMemGetAddressRange", [&] {
    return owner_call("cuMemGetAddressRange", static_cast<const void*>(pointer_of(pointer)), [&](Gpu& gpu) {
      const Allocation& found = allocation_at(gpu, pointer);
      if (begin != nullptr) *begin = found.address;
      if (bytes != nullptr) *bytes = found.bytes;
    });
  });
}

CUresult cuMemAllocHost(void** pointer, size_t bytes) {
  return in_context("cuMemAllocHost", [&] { return cudaMallocHost(pointer, bytes); });
}

CUresult cuMemFreeHost(void* pointer) {
  return in_context("cuMemFreeHost", [&] { return cudaFreeHost(pointer); });
}

CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return in_context("cuMemHostAlloc", [&] { return cudaHostAlloc(pointer, bytes, flags); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags) {
  return in_context("cuMemHostGetDevicePointer", [&] {
    void* found = nullptr;
    const cudaError_t error = cudaHostGetDevicePointer(&found, host, flags);
    if (error != cudaSuccess) return error;
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = reinterpret_cast<CUdeviceptr>(found);
    return cudaSuccess;
  });
}

CUresult cuMemHostGetFlags(unsigned int* flags, void* host) {
  return in_context("cuMemHostGetFlags", [&] { return cudaHostGetFlags(flags, host); });
}

CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  return in_context("cuMemHostRegister", [&] { return cudaHostRegister(pointer, bytes, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
  return in_context("cuMemHostUnregister", [&] { return cudaHostUnregister(pointer); });
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream) {
  return in_context("cuMemPrefetchAsync",
                    [&] { return cudaMemPrefetchAsync(pointer_of(pointer), bytes, device, stream); });
}

// Advice has the same numbers in both APIs.
CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice device) {
  return in_context("cuMemAdvise", [&] {
    return cudaMemAdvise(pointer_of(pointer), bytes, static_cast<cudaMemoryAdvise>(advice), device);
  });
}

// CUDA 13's forms say where to by a kind of place and a number.
CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation to, unsigned int,
                               CUstream stream) {
  return cuMemPrefetchAsync(pointer, bytes, to.id, stream);
}
CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation of) {
  return cuMemAdvise(pointer, bytes, advice, of.id);
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return in_context("cuPointerGetAttribute", [&] {
    return owner_call("cuPointerGetAttribute", static_cast<const void*>(pointer_of(pointer)), [&](Gpu& gpu) {
      require(value != nullptr, "there is no place for the attribute");
      put_attribute(gpu, value, attribute, pointer);
    });
  });
}
}
