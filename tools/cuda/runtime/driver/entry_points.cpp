// Functions of the driver API by their names, for programs that do not link them.
#include <algorithm>
#include <string>
#include <string_view>

#include "tools/cuda/runtime/driver/driver_call.h"

namespace {

/// A function and the name that its users know it by, without its version.
struct EntryPoint {
  std::string_view name;
  void* function;
};

const EntryPoint kEntryPoints[] = {
#define HEDDLE_DRIVER_FUNCTION(name) {#name, reinterpret_cast<void*>(&name)},
#include "tools/cuda/runtime/driver/entry_points.def"
#undef HEDDLE_DRIVER_FUNCTION
};

/// What these names stand for from CUDA 13 on.
const EntryPoint kLaterEntryPoints[] = {
    {"cuCtxCreate", reinterpret_cast<void*>(&cuCtxCreate_v4)},
    {"cuMemAdvise", reinterpret_cast<void*>(&cuMemAdvise_v2)},
    {"cuMemPrefetchAsync", reinterpret_cast<void*>(&cuMemPrefetchAsync_v2)},
};

template <std::size_t count>
const EntryPoint* find(const EntryPoint (&points)[count], std::string_view name) {
  const auto* found = std::ranges::find(points, name, &EntryPoint::name);
  return found == std::end(points) ? nullptr : found;
}

const EntryPoint* find(std::string_view name, int version) {
  constexpr int kLater = 13000;
  if (version >= kLater) {
    if (const EntryPoint* later = find(kLaterEntryPoints, name); later != nullptr) return later;
  }
  return find(kEntryPoints, name);
}

}  // namespace

extern "C" {

// Names are as in CUDA's reference, without versions.
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const EntryPoint* found = find(symbol, version);
  *function = found != nullptr ? found->function : nullptr;
  if (status != nullptr)
    *status = found != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return found != nullptr || status != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
}

namespace {

/// A function that is not there is no error: its status and its address, null, tell. The status has the driver's numbers.
cudaError_t find_for(const char* caller, const char* symbol, void** function, unsigned version,
                     cudaDriverEntryPointQueryResult* status) {
  return heddle::cudart::call(caller, [&](heddle::cudart::Process&) {
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    const CUresult result = cuGetProcAddress(symbol, function, static_cast<int>(version), CU_GET_PROC_ADDRESS_DEFAULT, &found);
    heddle::cudart::require(result == CUDA_SUCCESS, "there is no name, or no place for the address");
    if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  int version = 0;
  const cudaError_t known = cudaRuntimeGetVersion(&version);
  if (known != cudaSuccess) return known;
  return find_for("cudaGetDriverEntryPoint", symbol, function, static_cast<unsigned>(version), status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int version,
                                             unsigned long long, cudaDriverEntryPointQueryResult* status) {
  return find_for("cudaGetDriverEntryPointByVersion", symbol, function, version, status);
}
}
