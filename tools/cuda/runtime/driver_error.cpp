#include "tools/cuda/runtime/driver_error.h"

namespace heddle::cudart {

CUresult result_of(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    default:
      return static_cast<CUresult>(code);
  }
}

const char* name_of(CUresult result) {
  switch (static_cast<int>(result)) {
    case CUDA_SUCCESS:
      return "CUDA_SUCCESS";
#define HEDDLE_DRIVER_ERROR(name, value) \
  case value:                            \
    return "CUDA_ERROR_" #name;
#include "tools/cuda/include/__heddle_driver_errors.def"
#undef HEDDLE_DRIVER_ERROR
    default:
      return nullptr;
  }
}

}  // namespace heddle::cudart
