// What CUDA 13 has in another form than CUDA 12: the structure of a device's properties, without members that
// had lost their meaning, and functions that took over the later form of their namesakes with _v2.
#include <cstddef>
#include <cstring>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/graph.h"

// These have the names of functions for CUDA 12, which give way to them when the library is linked.
#pragma GCC visibility push(default)
extern "C" {
cudaError_t get_version(int* version) __asm__("cudaRuntimeGetVersion");
cudaError_t get_properties(void* properties, int device) __asm__("cudaGetDeviceProperties");
cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                             const void* kinds, size_t count) __asm__("cudaGraphAddDependencies");
}
#pragma GCC visibility pop

namespace {

/// CUDA 13's cudaDeviceProp.
struct Properties {
#define HEDDLE_MEMBER(type, name, extents) type name extents;
#include "tools/cuda/runtime/abi/properties13.def"
#undef HEDDLE_MEMBER
  int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
  unsigned gpuPciDeviceID, gpuPciSubsystemID;
  int hostNumaMultinodeIpcSupported, reserved[56];
};
static_assert(sizeof(Properties) == 1008);  // as in the headers of CUDA 13.0

}  // namespace

extern "C" {

cudaError_t get_version(int* version) {
  constexpr int kVersion = 13000;
  if (version == nullptr) return cudaErrorInvalidValue;
  *version = kVersion;
  return cudaSuccess;
}

cudaError_t get_properties(void* properties, int device) {
  if (properties == nullptr) return cudaErrorInvalidValue;
  cudaDeviceProp from = {};
  const cudaError_t error = cudaGetDeviceProperties(&from, device);
  Properties to = {};
#define HEDDLE_MEMBER(type, name, extents) std::memcpy(&to.name, &from.name, sizeof to.name);
#include "tools/cuda/runtime/abi/properties13.def"
#undef HEDDLE_MEMBER
  if (error == cudaSuccess) std::memcpy(properties, &to, sizeof to);
  return error;
}

cudaError_t add_dependencies(cudaGraph_t, const cudaGraphNode_t* from, const cudaGraphNode_t* to, const void*,
                             size_t count) {
  return heddle::cudart::gpu_call("cudaGraphAddDependencies", [&](heddle::cudart::Gpu&) {
    heddle::cudart::order_nodes(from, to, count);
  });
}
}
