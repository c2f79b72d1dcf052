// Kernel files of every kind, CUDA C++ among them.
#pragma once

#include <string>

#include "isa/load/kernel_file.h"
#include "tools/cuda/compile.h"

namespace heddle::cuda {

/// Whether a file of this name is CUDA C++ that compile_cuda() takes.
bool is_cuda_source(const std::string& path);

/// load::KernelFile::from_file(), which of CUDA C++ reads the PTX, or machine code, that the compiler makes. Throws InputError.
load::KernelFile open_kernel_file(const std::string& path, const CompileOptions& options);

/// The same of a text from standard input, which messages call <stdin>.
load::KernelFile kernel_file_of_text(const std::string& text, const CompileOptions& options);

}  // namespace heddle::cuda
