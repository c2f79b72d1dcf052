// `heddle examples`: the launches that come with Heddle.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int examples_command(const Arguments& arguments);
Syntax examples_syntax();

}  // namespace heddle::command
