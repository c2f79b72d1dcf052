// Attributes of kernels, and how many of their blocks an SM holds.
#include <algorithm>

#include "isa/base/cuda_limits.h"
#include "sim/config/compute_capabilities.h"
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/launch.h"

using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::LoadedKernel;
using heddle::cudart::own_shared_bytes;
using heddle::cudart::require;

int heddle::cudart::most_threads(Gpu& gpu, const void* function) {
  const auto& limits = gpu.spec().occupancy;
  const std::uint32_t registers = std::max(gpu.kernel(function).kernel.registers, 1U);
  const std::uint32_t by_registers =
      limits.registers_per_block / registers / limits.warp_size * limits.warp_size;
  return static_cast<int>(std::min({limits.max_threads_per_block, kMostThreadsPerBlock, by_registers}));
}

namespace {

cudaFuncAttributes attributes_of(Gpu& gpu, const void* function) {
  const LoadedKernel& loaded = gpu.kernel(function);
  const auto& limits = gpu.spec().occupancy;
  cudaFuncAttributes attributes = {};
  attributes.sharedSizeBytes = own_shared_bytes(loaded.kernel);
  attributes.localSizeBytes = loaded.kernel.local_bytes;
  attributes.maxThreadsPerBlock = heddle::cudart::most_threads(gpu, function);
  attributes.numRegs = static_cast<int>(loaded.kernel.registers);
  constexpr unsigned kUsual = 80;
  const auto version =
      static_cast<int>(heddle::sim::compute_capability_number(gpu.spec().compute_capability, kUsual));
  attributes.binaryVersion = version;
  attributes.ptxVersion = loaded.target != 0 ? static_cast<int>(loaded.target) : version;
  const std::uint32_t without = limits.shared_without_opt_in;
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(
      std::max(loaded.dynamic_shared_limit, without - std::min(without, own_shared_bytes(loaded.kernel))));
  attributes.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  return attributes;
}

void allow_shared_bytes(Gpu& gpu, const void* function, int bytes) {
  LoadedKernel& loaded = gpu.kernel(function);
  const std::uint32_t most = gpu.spec().occupancy.shared_bytes_per_block;
  const auto wanted = static_cast<std::uint32_t>(std::max(bytes, 0));
  require(bytes >= 0 && own_shared_bytes(loaded.kernel) + wanted <= most,
          "more shared memory than a block of this GPU can have");
  loaded.dynamic_shared_limit = wanted;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return gpu_call("cudaFuncGetAttributes", [&](Gpu& gpu) {
    require(attributes != nullptr, "there is no place for the attributes");
    *attributes = attributes_of(gpu, function);
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return gpu_call("cudaFuncSetAttribute", [&](Gpu& gpu) {
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) allow_shared_bytes(gpu, function, value);
  });
}

// How an SM divides its storage is decided by the blocks that it holds.
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block,
                                                          size_t shared) {
  return gpu_call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Gpu& gpu) {
    require(blocks != nullptr && block > 0, "there is no place for the count, or no thread in the block");
    *blocks = static_cast<int>(
        heddle::cudart::blocks_per_sm(gpu, function, static_cast<std::uint32_t>(block), shared));
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int block, size_t shared, unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared);
}
}
