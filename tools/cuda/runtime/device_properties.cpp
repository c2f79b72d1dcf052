#include "tools/cuda/runtime/device_properties.h"

#include <algorithm>
#include <cstring>

#include "isa/base/cuda_limits.h"
#include "sim/config/compute_capabilities.h"
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

namespace {

constexpr unsigned kUsualCapability = 80;  // of GPUs that NVIDIA never built
constexpr double kKhzPerMhz = 1000;
constexpr int kTexturePixels = 131072;  // CUDA C++ Programming Guide, technical specifications: 7.0 and later

void set_extents(int (&to)[3], const Dim3& from) {
  to[0] = static_cast<int>(from.x);
  to[1] = static_cast<int>(from.y);
  to[2] = static_cast<int>(from.z);
}

void set_identity(cudaDeviceProp& properties, const sim::GpuSpec& gpu, int device) {
  std::strncpy(properties.name, gpu.description.c_str(), sizeof properties.name - 1);
  const unsigned capability = sim::compute_capability_number(gpu.compute_capability, kUsualCapability);
  properties.major = static_cast<int>(capability / 10);
  properties.minor = static_cast<int>(capability % 10);
  properties.pciBusID = device + 1;
  properties.uuid.bytes[0] = static_cast<char>(device + 1);
}

void set_limits(cudaDeviceProp& properties, const sim::GpuSpec& gpu) {
  const sim::OccupancySpec& limits = gpu.occupancy;
  properties.warpSize = static_cast<int>(limits.warp_size);
  properties.maxThreadsPerBlock =
      static_cast<int>(std::min(limits.max_threads_per_block, kMostThreadsPerBlock));
  set_extents(properties.maxThreadsDim, kLargestBlock);
  set_extents(properties.maxGridSize, kLargestGrid);
  properties.regsPerBlock = static_cast<int>(limits.registers_per_block);
  properties.regsPerMultiprocessor = static_cast<int>(limits.registers);
  properties.sharedMemPerBlock = limits.shared_without_opt_in;
  properties.sharedMemPerBlockOptin = limits.shared_bytes_per_block;
  properties.sharedMemPerMultiprocessor = limits.shared_bytes;
  properties.reservedSharedMemPerBlock = limits.shared_reserved;
  properties.maxThreadsPerMultiProcessor = static_cast<int>(limits.max_warps * limits.warp_size);
  properties.maxBlocksPerMultiProcessor = static_cast<int>(limits.max_blocks);
  properties.multiProcessorCount = static_cast<int>(gpu.sms);
  properties.totalConstMem = 65536;
  properties.memPitch = 0x7fffffff;
}

void set_memory(cudaDeviceProp& properties, const sim::GpuSpec& gpu) {
  properties.totalGlobalMem = gpu.dram.capacity_bytes;
  properties.clockRate = static_cast<int>(gpu.clock_mhz * kKhzPerMhz);
  // Programs compute 2 * rate * width / 8 as the bandwidth: a width that channels suggest, and the rate that
  // fits.
  constexpr int kBitsPerChannel = 64;
  constexpr double kKilobytesPerGigabyte = 1e6;
  properties.memoryBusWidth = static_cast<int>(gpu.dram.channels) * kBitsPerChannel;
  properties.memoryClockRate =
      static_cast<int>(gpu.dram.bandwidth_gbps * kKilobytesPerGigabyte * 8 / 2 / properties.memoryBusWidth);
  properties.l2CacheSize = static_cast<int>(std::min<std::uint64_t>(gpu.l2.bytes, 0x7fffffff));
  properties.globalL1CacheSupported = gpu.l1.enabled ? 1 : 0;
  properties.localL1CacheSupported = properties.globalL1CacheSupported;
}

/// Since compute capability 8.0. The share of L2: 30 of 40 MiB on A100, 37.5 of 60 MiB on H200; the window:
/// that of A100.
// measured: forums.developer.nvidia.com, topic 275542 (A100); a public probe of an H200
void set_persisting(cudaDeviceProp& properties) {
  constexpr int kFirst = 8, kHopper = 9;
  if (properties.major < kFirst) return;
  properties.persistingL2CacheMaxSize =
      properties.major < kHopper ? properties.l2CacheSize / 4 * 3 : properties.l2CacheSize / 8 * 5;
  properties.accessPolicyMaxWindowSize = 134213632;
}

void set_abilities(cudaDeviceProp& properties) {
  properties.deviceOverlap = 1;
  properties.asyncEngineCount = 2;
  properties.concurrentKernels = 1;
  properties.canMapHostMemory = 1;
  properties.unifiedAddressing = 1;
  properties.managedMemory = 1;
  properties.concurrentManagedAccess = 1;
  properties.pageableMemoryAccess = 0;
  properties.streamPrioritiesSupported = 1;
  properties.cooperativeLaunch = 1;
  properties.canUseHostPointerForRegisteredMem = 1;
  properties.computePreemptionSupported = 1;
  properties.hostRegisterSupported = 1;
  properties.memoryPoolsSupported = 1;
  properties.ECCEnabled = 0;
  properties.textureAlignment = 512;
  properties.texturePitchAlignment = 32;
  properties.surfaceAlignment = 512;
  properties.maxTexture1D = kTexturePixels;
  properties.maxTexture2D[0] = kTexturePixels;
  properties.maxTexture2D[1] = 65536;
  std::ranges::fill(properties.maxTexture3D, 16384);
}

/// An attribute that is a member of the properties.
struct Row {
  cudaDeviceAttr attribute;
  int (*value)(const cudaDeviceProp& properties);
};

int narrow(std::size_t value) { return static_cast<int>(std::min<std::size_t>(value, 0x7fffffff)); }

#define HEDDLE_ROW(attribute, member)                                                      \
  {                                                                                        \
    cudaDevAttr##attribute,                                                                \
        [](const cudaDeviceProp& p) { return narrow(static_cast<std::size_t>(p.member)); } \
  }

constexpr Row kRows[] = {
    HEDDLE_ROW(MaxThreadsPerBlock, maxThreadsPerBlock),
    HEDDLE_ROW(MaxBlockDimX, maxThreadsDim[0]),
    HEDDLE_ROW(MaxBlockDimY, maxThreadsDim[1]),
    HEDDLE_ROW(MaxBlockDimZ, maxThreadsDim[2]),
    HEDDLE_ROW(MaxGridDimX, maxGridSize[0]),
    HEDDLE_ROW(MaxGridDimY, maxGridSize[1]),
    HEDDLE_ROW(MaxGridDimZ, maxGridSize[2]),
    HEDDLE_ROW(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    HEDDLE_ROW(TotalConstantMemory, totalConstMem),
    HEDDLE_ROW(WarpSize, warpSize),
    HEDDLE_ROW(MaxPitch, memPitch),
    HEDDLE_ROW(MaxRegistersPerBlock, regsPerBlock),
    HEDDLE_ROW(ClockRate, clockRate),
    HEDDLE_ROW(TextureAlignment, textureAlignment),
    HEDDLE_ROW(GpuOverlap, deviceOverlap),
    HEDDLE_ROW(MultiProcessorCount, multiProcessorCount),
    HEDDLE_ROW(KernelExecTimeout, kernelExecTimeoutEnabled),
    HEDDLE_ROW(Integrated, integrated),
    HEDDLE_ROW(CanMapHostMemory, canMapHostMemory),
    HEDDLE_ROW(ComputeMode, computeMode),
    HEDDLE_ROW(MaxTexture1DWidth, maxTexture1D),
    HEDDLE_ROW(ConcurrentKernels, concurrentKernels),
    HEDDLE_ROW(EccEnabled, ECCEnabled),
    HEDDLE_ROW(PciBusId, pciBusID),
    HEDDLE_ROW(PciDeviceId, pciDeviceID),
    HEDDLE_ROW(TccDriver, tccDriver),
    HEDDLE_ROW(MemoryClockRate, memoryClockRate),
    HEDDLE_ROW(GlobalMemoryBusWidth, memoryBusWidth),
    HEDDLE_ROW(L2CacheSize, l2CacheSize),
    HEDDLE_ROW(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    HEDDLE_ROW(AsyncEngineCount, asyncEngineCount),
    HEDDLE_ROW(UnifiedAddressing, unifiedAddressing),
    HEDDLE_ROW(PciDomainId, pciDomainID),
    HEDDLE_ROW(ComputeCapabilityMajor, major),
    HEDDLE_ROW(ComputeCapabilityMinor, minor),
    HEDDLE_ROW(StreamPrioritiesSupported, streamPrioritiesSupported),
    HEDDLE_ROW(GlobalL1CacheSupported, globalL1CacheSupported),
    HEDDLE_ROW(LocalL1CacheSupported, localL1CacheSupported),
    HEDDLE_ROW(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    HEDDLE_ROW(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    HEDDLE_ROW(ManagedMemory, managedMemory),
    HEDDLE_ROW(IsMultiGpuBoard, isMultiGpuBoard),
    HEDDLE_ROW(HostNativeAtomicSupported, hostNativeAtomicSupported),
    HEDDLE_ROW(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    HEDDLE_ROW(PageableMemoryAccess, pageableMemoryAccess),
    HEDDLE_ROW(ConcurrentManagedAccess, concurrentManagedAccess),
    HEDDLE_ROW(ComputePreemptionSupported, computePreemptionSupported),
    HEDDLE_ROW(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    HEDDLE_ROW(CooperativeLaunch, cooperativeLaunch),
    HEDDLE_ROW(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    HEDDLE_ROW(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    HEDDLE_ROW(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    HEDDLE_ROW(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    HEDDLE_ROW(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    HEDDLE_ROW(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    HEDDLE_ROW(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    HEDDLE_ROW(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    HEDDLE_ROW(MemoryPoolsSupported, memoryPoolsSupported),
};
#undef HEDDLE_ROW

}  // namespace

cudaDeviceProp properties_of(const sim::GpuSpec& gpu, int device) {
  cudaDeviceProp properties = {};
  set_identity(properties, gpu, device);
  set_limits(properties, gpu);
  set_memory(properties, gpu);
  set_persisting(properties);
  set_abilities(properties);
  return properties;
}

std::optional<int> attribute_of(const cudaDeviceProp& properties, cudaDeviceAttr attribute) {
  const auto* found = std::ranges::find(kRows, attribute, &Row::attribute);
  if (found == std::end(kRows)) return std::nullopt;
  return found->value(properties);
}

}  // namespace heddle::cudart

using heddle::cudart::call;
using heddle::cudart::Failure;
using heddle::cudart::Process;

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call("cudaGetDeviceProperties", [&](Process& process) {
    heddle::cudart::require(properties != nullptr, "there is no place for the properties");
    *properties = heddle::cudart::properties_of(process.gpu(device).spec(), device);
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call("cudaDeviceGetAttribute", [&](Process& process) {
    heddle::cudart::require(value != nullptr, "there is no place for the attribute");
    const auto found = heddle::cudart::attribute_of(
        heddle::cudart::properties_of(process.gpu(device).spec(), device), attribute);
    *value = found.value_or(0);
  });
}
}
