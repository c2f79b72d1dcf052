// Launches as nvcc takes them and clang does not: from a kernel, child<<<grid, block>>>(x), and with blanks,
// k<< <grid, block>> >(x).
#pragma once

#include <optional>
#include <string>

namespace heddle::cuda {

/// Preprocessed CUDA C++ in which <<< and >>> have no blanks, and in which each launch within a __global__ or
/// __device__ function, child<N><<<grid, block>>>(x), is a call of what Heddle's cuda_device_runtime_api.h
/// has for it, __heddle_device_launch<&child<N>>(grid, block)(x). The kernel must be named with all its
/// template arguments. Lines stay what they are. Nothing if there is no such launch.
std::optional<std::string> with_launches_for_clang(const std::string& preprocessed);

}  // namespace heddle::cuda
