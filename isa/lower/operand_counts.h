// Whether a PTX instruction has the number of operands that it needs.
#pragma once

#include "isa/ptx/instruction.h"

namespace heddle::lower {

/// By operand_counts.def. Whoever lowers an instruction may rely on it.
bool has_its_operands(const ptx::Instruction& instruction);

}  // namespace heddle::lower
