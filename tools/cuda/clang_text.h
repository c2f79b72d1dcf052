// CUDA C++ that nvcc takes and clang does not, made so that clang takes it.
#pragma once

#include <optional>
#include <string>

namespace heddle::cuda {

/// The preprocessed text as clang takes it (alignas_first.h, launch_syntax.h). Lines stay what they are.
/// Nothing if it takes it as it is.
std::optional<std::string> text_for_clang(const std::string& preprocessed);

}  // namespace heddle::cuda
