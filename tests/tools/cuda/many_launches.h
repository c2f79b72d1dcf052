// A program that launches much.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::test {

/// Launches two kernels by turns, so many times in all.
inline std::string many_launches(unsigned launches) {
  return cuda::program_of(R"(
__global__ void add(float* x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] += by; }
__global__ void scale(float* x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
)",
                          fmt::format(R"(
  float* x;
  check(cudaMalloc(&x, 4096));
  check(cudaMemset(x, 0, 4096));
  for (int i = 0; i < {}; ++i) i % 2 == 0 ? add<<<4, 256>>>(x, 1) : scale<<<4, 256>>>(x, 2);
  check(cudaDeviceSynchronize());
)",
                                      launches));
}

}  // namespace heddle::test
