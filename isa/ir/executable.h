// Whether a kernel can be executed. Text and machine code are checked when they are loaded; whoever makes
// instructions otherwise learns of it before the first one runs.
#pragma once

#include <string>

#include "isa/ir/kernel.h"

namespace heddle::ir {

/// Why no kernel can execute the instruction; empty if one can.
std::string why_not_executable(const Instruction& instruction);

/// Throws InputError that names each instruction of the kernel that cannot be executed, the first hundred.
void require_executable(const Kernel& kernel);

}  // namespace heddle::ir
