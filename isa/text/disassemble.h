// Prints kernels as text that assemble() can read.
#pragma once

#include <string>

#include "isa/ir/kernel.h"

namespace heddle::text {

/// One instruction as text with its guard: "@!P0 BRA done".
std::string disassemble(const ir::Kernel& kernel, Pc pc);

/// A whole kernel. Assembling the text gives the same kernel.
std::string disassemble(const ir::Kernel& kernel);

}  // namespace heddle::text
