// Kernel text out, in the form that assemble() reads.
#pragma once

#include <string>

#include "isa/ir/kernel.h"

namespace heddle::text {

/// One instruction as text, guard first: "@!P0 BRA done".
std::string disassemble(const ir::Kernel& kernel, Pc pc);

/// A whole kernel; assembling it gives the same kernel again.
std::string disassemble(const ir::Kernel& kernel);

}  // namespace heddle::text
