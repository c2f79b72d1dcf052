// __shared__ alignas(16) float x[4]: nvcc takes it, clang wants alignas first.
#pragma once

#include <optional>
#include <string>

namespace heddle::cuda {

/// Preprocessed CUDA C++ in which each alignas that follows __shared__ at the beginning of a declaration
/// stands before it. Lines stay what they are. Nothing if there is none. Behind static and extern nvcc
/// refuses it, too.
std::optional<std::string> with_alignas_first(const std::string& preprocessed);

}  // namespace heddle::cuda
