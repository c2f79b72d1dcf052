// Errors of the driver API: most are those of the runtime API under other names.
#pragma once

#include "tools/cuda/runtime/api.h"

namespace heddle::cudart {

/// The driver's code for what the runtime calls so: the same number, unless the driver has none of it.
CUresult result_of(cudaError_t code);

/// "CUDA_ERROR_INVALID_VALUE"; null if there is no such error.
const char* name_of(CUresult result);

}  // namespace heddle::cudart
