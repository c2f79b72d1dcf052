// How clang is asked to read CUDA C++ without NVIDIA's toolkit: what both halves of a compilation share.
#pragma once

#include <string>
#include <vector>

#include "tools/cuda/compile.h"

namespace heddle::cuda {

using Arguments = std::vector<std::string>;

/// The program and the language: headers, version of C++, macros, the GPU. Which half, and what is made of
/// it, is missing. Throws InputError if Heddle's headers are not there.
Arguments clang_language(const Compiler& compiler, const std::string& path, const CompileOptions& options);

/// The version of C++, folders of headers, macros, as clang and nvcc both take them.
Arguments source_arguments(const std::string& path, const CompileOptions& options);

}  // namespace heddle::cuda
