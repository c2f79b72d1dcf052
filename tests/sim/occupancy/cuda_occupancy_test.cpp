// NVIDIA's own calculator, where the machine has it: CMake looks for cuda_occupancy.h of CUDA 13.0 or later.
// What it answered once is in data/cuda_occupancy.csv, for all other machines; test_sim
// "[write-occupancy-data]" writes it anew.
#ifdef HEDDLE_CUDA_OCCUPANCY

#include <cuda_occupancy.h>

#include <fstream>
#include <limits>

#include "sim/occupancy/what_if.h"
#include "tests/sim/occupancy/configurations.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

cudaOccDeviceProp properties_of(const ComputeCapability& device) {
  const OccupancySpec& spec = device.occupancy;
  const std::string version(device.version);
  const std::size_t dot = version.find('.');
  cudaOccDeviceProp properties;
  properties.computeMajor = std::stoi(version.substr(0, dot));
  properties.computeMinor = std::stoi(version.substr(dot + 1));
  properties.maxThreadsPerBlock = static_cast<int>(spec.max_threads_per_block);
  properties.maxThreadsPerMultiprocessor = static_cast<int>(spec.max_warps * spec.warp_size);
  properties.regsPerBlock = static_cast<int>(spec.registers_per_block);
  properties.regsPerMultiprocessor = static_cast<int>(spec.registers);
  properties.warpSize = static_cast<int>(spec.warp_size);
  properties.sharedMemPerBlock = spec.shared_without_opt_in;
  properties.sharedMemPerMultiprocessor = spec.shared_bytes;
  properties.numSms = static_cast<int>(device.example.sms);
  properties.sharedMemPerBlockOptin = spec.shared_bytes_per_block;
  properties.reservedSharedMemPerBlock = spec.shared_reserved;
  return properties;
}

cudaOccFuncAttributes attributes_of(const KernelResources& kernel) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = std::numeric_limits<int>::max();
  attributes.numRegs = static_cast<int>(kernel.registers_per_thread);
  attributes.sharedSizeBytes = kernel.static_shared;
  attributes.partitionedGCConfig = static_cast<cudaOccPartitionedGCConfig>(kernel.caching);
  attributes.shmemLimitConfig = kernel.shared_opt_in ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  attributes.maxDynamicSharedSizeBytes = kernel.max_dynamic_shared.value_or(kernel.dynamic_shared);
  attributes.numBlockBarriers = static_cast<int>(kernel.barriers);
  attributes.virtualResourceCount = static_cast<int>(kernel.virtual_resources);
  return attributes;
}

cudaOccDeviceState state_of(const KernelResources& kernel) {
  cudaOccDeviceState state;
  if (kernel.carveout_percent) state.carveoutConfig = static_cast<int>(*kernel.carveout_percent);
  return state;
}

cudaOccResult ask(const Configuration& configuration) {
  const cudaOccDeviceProp properties = properties_of(*configuration.device);
  const cudaOccFuncAttributes attributes = attributes_of(configuration.kernel);
  const cudaOccDeviceState state = state_of(configuration.kernel);
  cudaOccResult result;
  REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                  static_cast<int>(configuration.kernel.block.x),
                                                  configuration.kernel.dynamic_shared) == CUDA_OCC_SUCCESS);
  return result;
}

Answer answer_of(const cudaOccResult& result) {
  return {static_cast<std::uint32_t>(result.activeBlocksPerMultiprocessor), result.limitingFactors};
}

std::uint32_t limit_of(int blocks) {
  return blocks == std::numeric_limits<int>::max() ? kNoBlockLimit : static_cast<std::uint32_t>(blocks);
}

bool has_same_limits(const Occupancy& found, const cudaOccResult& result) {
  return found.limit(Resource::Warps) == limit_of(result.blockLimitWarps) &&
         found.limit(Resource::Blocks) == limit_of(result.blockLimitBlocks) &&
         found.limit(Resource::Registers) == limit_of(result.blockLimitRegs) &&
         found.limit(Resource::Shared) == limit_of(result.blockLimitSharedMem) &&
         found.limit(Resource::Barriers) == limit_of(result.blockLimitBarriers) &&
         found.limit(Resource::Virtual) == limit_of(result.blockLimitVirtual) &&
         found.block.registers == static_cast<std::uint64_t>(result.allocatedRegistersPerBlock) &&
         found.block.shared_bytes == result.allocatedSharedMemPerBlock &&
         found.partitioned_caching == (result.partitionedGCConfig != PARTITIONED_GC_OFF);
}

}  // namespace

TEST_CASE("occupancy is that of NVIDIA's calculator on 315,000 kernels") {
  constexpr int kOfEach = 15'000;
  const std::uint32_t seed = 4;
  Configurations configurations(seed);
  int refused = 0;
  int count = 0;
  for (const ComputeCapability& device : compute_capabilities()) {
    for (int i = 0; i < kOfEach; ++i) {
      const Configuration configuration{&device, configurations.kernel_for(device.occupancy)};
      const cudaOccResult expected = ask(configuration);
      const bool is_same = answer_of(configuration) == answer_of(expected) &&
                           has_same_limits(occupancy_of(device.occupancy, configuration.kernel), expected);
      if (!is_same) FAIL("seed " << seed << ": " << to_line(configuration, answer_of(expected)));
      refused += expected.activeBlocksPerMultiprocessor == 0 ? 1 : 0;
      ++count;
    }
  }
  CHECK(count == 315'000);
  CHECK(refused > count / 20);
  CHECK(refused < count / 2);
}

TEST_CASE("every block size with every number of registers is as in NVIDIA's calculator") {
  for (const ComputeCapability& device : compute_capabilities()) {
    for (std::uint32_t threads = 1; threads <= 1025; threads += threads % 32 < 2 ? 1 : 30) {
      for (std::uint32_t registers = 0; registers <= 257; ++registers) {
        Configuration configuration{&device, {}};
        configuration.kernel.block = {threads, 1, 1};
        configuration.kernel.registers_per_thread = registers;
        const Answer expected = answer_of(ask(configuration));
        if (answer_of(configuration) != expected) FAIL(to_line(configuration, expected));
      }
    }
  }
}

TEST_CASE("the suggested block size is that of NVIDIA's calculator") {
  const std::uint32_t seed = 5;
  Configurations configurations(seed);
  for (const ComputeCapability& device : compute_capabilities()) {
    for (int i = 0; i < 200; ++i) {
      const Configuration configuration{&device, configurations.kernel_for(device.occupancy)};
      const cudaOccDeviceProp properties = properties_of(device);
      cudaOccFuncAttributes attributes = attributes_of(configuration.kernel);
      attributes.maxDynamicSharedSizeBytes = device.occupancy.shared_bytes;
      attributes.maxThreadsPerBlock = i % 2 == 0 ? 1024 : 1 + i * 5;
      const cudaOccDeviceState state = state_of(configuration.kernel);
      const std::uint32_t bytes = i % 3 == 0 ? 16 : 100;
      const auto shared_of = [bytes](auto threads) { return bytes * static_cast<std::uint32_t>(threads); };
      int grid = 0;
      int threads = 0;
      REQUIRE(cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid, &threads, &properties, &attributes,
                                                                &state, shared_of) == CUDA_OCC_SUCCESS);
      KernelResources kernel = configuration.kernel;
      kernel.max_dynamic_shared = device.occupancy.shared_bytes;
      const BlockSuggestion found = suggest_block(
          device.occupancy, kernel, static_cast<std::uint32_t>(attributes.maxThreadsPerBlock), shared_of);
      CAPTURE(seed, i, to_line(configuration, {}));
      REQUIRE(found.threads == static_cast<std::uint32_t>(threads));
      REQUIRE(found.occupancy.blocks_per_sm * device.example.sms == static_cast<std::uint32_t>(grid));
    }
  }
}

TEST_CASE("write the answers of NVIDIA's calculator", "[.][write-occupancy-data]") {
  Configurations configurations(20'000);
  std::ofstream file(HEDDLE_SOURCE_DIR "/tests/sim/occupancy/data/cuda_occupancy.csv");
  file << "cc,block,registers,static_shared,dynamic_shared,opt_in,max_dynamic_shared,barriers,virtual,"
          "carveout,"
          "caching,blocks,factors\n";
  for (int i = 0; i < 1000; ++i) {
    for (const ComputeCapability& device : compute_capabilities()) {
      const Configuration configuration{&device, configurations.kernel_for(device.occupancy)};
      file << to_line(configuration, answer_of(ask(configuration))) << '\n';
    }
  }
  REQUIRE(file.good());
}

}  // namespace heddle::sim

#endif
