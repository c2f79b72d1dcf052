// `heddle occupancy`: how many warps of a kernel an SM holds, and what limits them.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int occupancy_command(const Arguments& arguments);
Syntax occupancy_syntax();

}  // namespace heddle::command
