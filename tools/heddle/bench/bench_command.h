// `heddle bench`: measures the speed of the simulator.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int bench_command(const Arguments& arguments);
Syntax bench_syntax();

}  // namespace heddle::command
