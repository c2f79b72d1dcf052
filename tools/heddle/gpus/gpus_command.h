// `heddle gpus`: the GPUs that can be simulated.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int gpus_command(const Arguments& arguments);
Syntax gpus_syntax();

}  // namespace heddle::command
