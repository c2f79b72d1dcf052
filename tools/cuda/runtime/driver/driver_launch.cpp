// Launches of modules' kernels, their attributes, and how many blocks an SM holds.
#include <fmt/format.h>

#include <algorithm>

#include "tools/cuda/runtime/driver/driver_call.h"
#include "tools/cuda/runtime/launch.h"

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::in_context;
using heddle::cudart::LaunchRequest;
using heddle::cudart::LoadedKernel;
using heddle::cudart::require;

namespace {

/// Arguments as they lie behind one another, of CU_LAUNCH_PARAM_BUFFER_POINTER and its kin.
struct Packed {
  const std::byte* bytes = nullptr;
  std::size_t size = 0;
};

Packed packed_of(void** extra) {
  Packed packed;
  for (void** at = extra; *at != CU_LAUNCH_PARAM_END; at += 2) {
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      packed.bytes = static_cast<const std::byte*>(at[1]);
    } else if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      packed.size = *static_cast<const std::size_t*>(at[1]);
    } else {
      throw Failure(cudaErrorInvalidValue, fmt::format("{} is no name in the list of extra options", *at));
    }
  }
  return packed;
}

/// Where each argument lies.
std::vector<void*> arguments_in(const LoadedKernel& loaded, const Packed& packed) {
  std::vector<void*> places;
  for (const heddle::ir::ParamSlot& slot : loaded.kernel.param_slots) {
    require(
        packed.bytes != nullptr && slot.offset + slot.bytes <= packed.size,
        fmt::format("the arguments have {} bytes; a parameter lies at byte {}", packed.size, slot.offset));
    places.push_back(const_cast<std::byte*>(packed.bytes + slot.offset));
  }
  return places;
}

void launch(Gpu& gpu, LaunchRequest request, void** extra) {
  LoadedKernel& loaded = gpu.kernel(request.function);
  require(request.arguments == nullptr || extra == nullptr, "arguments are given in both ways");
  std::vector<void*> places;
  if (extra != nullptr) {
    places = arguments_in(loaded, packed_of(extra));
    request.arguments = places.data();
  }
  heddle::cudart::launch(gpu, request);
}

CUresult launched(const char* function, const LaunchRequest& request, void** extra) {
  return in_context(function,
                    [&] { return gpu_call(function, [&](Gpu& gpu) { launch(gpu, request, extra); }); });
}

/// Throws Failure if blocks are to form clusters.
bool is_cooperative(const CUlaunchConfig& config) {
  bool is = false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.value.clusterDim;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) is = attribute.value.cooperative != 0;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && cluster.x * cluster.y * cluster.z > 1)
      throw Failure(cudaErrorNotSupported, "clusters of blocks are not simulated");
  }
  return is;
}

int value_of(const cudaFuncAttributes& attributes, CUfunction_attribute attribute) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return attributes.maxThreadsPerBlock;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(attributes.sharedSizeBytes);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return static_cast<int>(attributes.constSizeBytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(attributes.localSizeBytes);
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return attributes.numRegs;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      return attributes.ptxVersion;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return attributes.binaryVersion;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      return attributes.cacheModeCA;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return attributes.maxDynamicSharedSizeBytes;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return attributes.preferredShmemCarveout;
    case CU_FUNC_ATTRIBUTE_MAX:
      break;
  }
  return 0;  // what clusters have
}

/// The kernel is one of the program's modules, or of the runtime's.
const CUfunc_st& known_function(Gpu& gpu, CUfunction function) {
  gpu.kernel(function);
  return *function;
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                        CUstream stream, void** arguments, void** extra) {
  return launched(
      "cuLaunchKernel",
      {function, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), arguments, shared, stream},
      extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
  return in_context("cuLaunchKernelEx", [&] {
    return gpu_call("cuLaunchKernelEx", [&](Gpu& gpu) {
      require(config != nullptr, "there is no configuration");
      const dim3 grid(config->gridDimX, config->gridDimY, config->gridDimZ);
      const dim3 block(config->blockDimX, config->blockDimY, config->blockDimZ);
      launch(gpu,
             {function, grid, block, arguments, config->sharedMemBytes, config->hStream,
              is_cooperative(*config)},
             extra);
    });
  });
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void** arguments) {
  return launched("cuLaunchCooperativeKernel",
                  {function, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), arguments, shared,
                   stream, true},
                  nullptr);
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return in_context("cuLaunchHostFunc", [&] { return cudaLaunchHostFunc(stream, function, data); });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return in_context("cuFuncGetAttribute", [&] {
    cudaFuncAttributes attributes = {};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, function);
    if (error != cudaSuccess) return error;
    if (value == nullptr || attribute >= CU_FUNC_ATTRIBUTE_MAX) return cudaErrorInvalidValue;
    *value = value_of(attributes, attribute);
    return cudaSuccess;
  });
}

// Those that can be set have the same numbers in both APIs.
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return in_context("cuFuncSetAttribute", [&] {
    return cudaFuncSetAttribute(static_cast<const void*>(function), static_cast<cudaFuncAttribute>(attribute),
                                value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) {
  return in_context("cuFuncSetCacheConfig", [] { return cudaSuccess; });
}
CUresult cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig) {
  return in_context("cuFuncSetSharedMemConfig", [] { return cudaSuccess; });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return in_context("cuFuncGetModule", [&] {
    return gpu_call("cuFuncGetModule", [&](Gpu& gpu) {
      require(module != nullptr, "there is no place for the module");
      *module = known_function(gpu, function).module;
    });
  });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return in_context("cuFuncGetName", [&] {
    return gpu_call("cuFuncGetName", [&](Gpu& gpu) {
      require(name != nullptr, "there is no place for the name");
      *name = known_function(gpu, function).name.c_str();
    });
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block,
                                                     size_t shared) {
  return in_context("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, static_cast<const void*>(function), block,
                                                         shared);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int block,
                                                              size_t shared, unsigned int) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, shared);
}

// The largest of the block sizes with which most threads are resident, as cudaOccupancyMaxPotentialBlockSize.
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared, int limit) {
  return in_context("cuOccupancyMaxPotentialBlockSize", [&] {
    return gpu_call("cuOccupancyMaxPotentialBlockSize", [&](Gpu& gpu) {
      require(grid != nullptr && block != nullptr, "there is no place for the sizes");
      const auto& limits = gpu.spec().occupancy;
      const int warp = static_cast<int>(limits.warp_size);
      int most = heddle::cudart::most_threads(gpu, function);
      if (limit > 0) most = std::min(most, limit);
      int best = 0;
      for (int size = most; size > 0; size = (size - 1) / warp * warp) {
        const std::size_t bytes = shared_of != nullptr ? shared_of(size) : shared;
        const auto blocks = static_cast<int>(
            heddle::cudart::blocks_per_sm(gpu, function, static_cast<std::uint32_t>(size), bytes));
        if (blocks * size <= best) continue;
        best = blocks * size;
        *block = size;
        *grid = blocks * static_cast<int>(gpu.spec().sms);
      }
    });
  });
}
}
