// `heddle validate`: compares simulated with measured figures.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int validate_command(const Arguments& arguments);
Syntax validate_syntax();

}  // namespace heddle::command
