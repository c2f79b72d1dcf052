// nvcc's options, as heddle cuda takes them.
#pragma once

#include "tools/cuda/program.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

void add_nvcc_options(Syntax& syntax);

/// nvcc writes long options with one dash or two, values behind a blank or "=", and has several names for
/// some. This makes "--arch=sm_80" of "-arch sm_80". Throws UsageError if a value is missing.
Arguments as_long_options(const Arguments& arguments);

/// Throws UsageError.
cuda::ProgramOptions program_options_of(const OptionValues& values);

}  // namespace heddle::command
