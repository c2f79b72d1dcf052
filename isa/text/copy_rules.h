// Which modifiers of asynchronous copies go together.
#pragma once

#include "isa/ir/instruction.h"
#include "isa/text/lexer.h"

namespace heddle::text {

/// Whether there are copies of this size: cp.async takes 4, 8 or 16 bytes, past L1 only 16 (PTX ISA).
bool is_copy_form(const ir::Modifiers& modifiers);

/// Throws Mistake if the instruction is a copy whose modifiers do not go together.
void check_copy(const Token& opcode, const ir::Instruction& instruction);

}  // namespace heddle::text
