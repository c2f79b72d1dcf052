// `heddle run`: simulates launches, or replays recorded ones, and reports.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int run_command(const Arguments& arguments);
Syntax run_syntax();

}  // namespace heddle::command
