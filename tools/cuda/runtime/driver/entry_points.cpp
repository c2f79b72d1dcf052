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

const EntryPoint* find(std::string_view name) {
  const auto* found = std::ranges::find(kEntryPoints, name, &EntryPoint::name);
  return found == std::end(kEntryPoints) ? nullptr : found;
}

}  // namespace

extern "C" {

// Names are as in CUDA's reference; what version of CUDA is asked for makes no difference.
CUresult cuGetProcAddress(const char* symbol, void** function, int, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const EntryPoint* found = find(symbol);
  *function = found != nullptr ? found->function : nullptr;
  if (status != nullptr)
    *status = found != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return found != nullptr || status != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
}
