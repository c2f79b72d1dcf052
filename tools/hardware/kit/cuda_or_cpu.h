// One source for both: nvcc compiles the kernels for the GPU, a plain C++ compiler for the emulator. Both
// know launch().
#pragma once

#ifdef __CUDACC__

#include <cuda_runtime.h>

namespace kit {

struct Shape {
  dim3 grid;
  dim3 block;
  unsigned shared_bytes = 0;     ///< Dynamic; more than 48 KiB are asked for.
  bool blocks_together = false;  ///< Blocks wait for each other. On a GPU they run together if they fit.
};

template <class... Parameters>
void launch(void (*kernel)(Parameters...), const Shape& shape, Parameters... arguments) {
  if (shape.shared_bytes > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(shape.shared_bytes));
  kernel<<<shape.grid, shape.block, shape.shared_bytes>>>(arguments...);
}

}  // namespace kit

#define KIT_DYNAMIC_SHARED(Type, name) extern __shared__ __align__(1024) Type name[]

#else

#include "tools/hardware/kit/emulator.h"

#define KIT_DYNAMIC_SHARED(Type, name) Type* name = static_cast<Type*>(kit::emulated_shared())

#endif
