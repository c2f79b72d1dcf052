// `heddle asm`: checks a kernel file and lists its instructions.
#pragma once

#include "tools/heddle/base/command.h"

namespace heddle::command {

int asm_command(const Arguments& arguments);
Syntax asm_syntax();

}  // namespace heddle::command
