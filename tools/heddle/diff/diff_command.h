// `heddle diff`: compares two runs by their reports.
#pragma once

#include "tools/heddle/base/command.h"
#include "tools/heddle/base/options.h"

namespace heddle::command {

int diff_command(const Arguments& arguments);
Syntax diff_syntax();

}  // namespace heddle::command
