// heddle cuda compiles CUDA programs, as nvcc does; heddle exec runs them.
#pragma once

#include "tools/heddle/base/command.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

Syntax cuda_syntax();
int cuda_command(const Arguments& arguments);

Syntax exec_syntax();
/// Returns only to show its help: otherwise this process becomes the program.
int exec_command(const Arguments& arguments);

}  // namespace heddle::command
