// One source for GPU and CPU: nvcc compiles the kernels for the GPU, an ordinary C++ compiler for the
// emulator. launch() exists in both.
#pragma once

#ifdef __CUDACC__

#include <cuda_runtime.h>

namespace kit {

/// The launch configuration of a kernel.
struct Shape {
  dim3 grid;
  dim3 block;
  unsigned shared_bytes = 0;  ///< Dynamic shared memory in bytes. launch() opts in to more than 48 KiB.
  /// Blocks wait for each other. On a GPU this works if all of them are resident at once.
  bool blocks_together = false;
};

template <class... Parameters>
void launch(void (*kernel)(Parameters...), const Shape& shape, Parameters... arguments) {
  if (shape.shared_bytes > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(shape.shared_bytes));
  kernel<<<shape.grid, shape.block, shape.shared_bytes>>>(arguments...);
}

}  // namespace kit

#else

#include "tools/hardware/kit/emulator.h"

#endif
