// The combinations of modifiers that asynchronous copies allow.
#pragma once

#include "isa/ir/instruction.h"
#include "isa/text/lexer.h"

namespace heddle::text {

/// Whether this size exists: cp.async copies 4, 8 or 16 bytes; copies that bypass L1 have 16 (PTX ISA).
bool is_copy_form(const ir::Modifiers& modifiers);

/// Throws Mistake if the instruction is a copy with modifiers that cannot be combined.
void check_copy(const Token& opcode, const ir::Instruction& instruction);

}  // namespace heddle::text
