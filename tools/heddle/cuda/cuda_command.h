// heddle cuda: compiles CUDA programs, as nvcc does.
#pragma once

#include "tools/heddle/base/command.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

Syntax cuda_syntax();
int cuda_command(const Arguments& arguments);

}  // namespace heddle::command
