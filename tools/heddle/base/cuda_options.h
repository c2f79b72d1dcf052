// The options of commands that take CUDA C++.
#pragma once

#include "tools/cuda/compile.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

/// Adds --define, --include, --std, --fast-math, --maxrregcount and --compiler.
void add_cuda_options(Syntax& syntax);

/// What these say. Throws UsageError.
cuda::CompileOptions cuda_options_of(const OptionValues& values);

/// --maxrregcount, if it is given. Throws UsageError.
std::optional<std::uint32_t> most_registers_of(const OptionValues& values);

}  // namespace heddle::command
