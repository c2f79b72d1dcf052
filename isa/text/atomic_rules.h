// The combinations of modifiers that atomics allow.
#pragma once

#include "isa/ir/instruction.h"
#include "isa/text/lexer.h"

namespace heddle::text {

/// Whether the operation of an atomic exists for its type.
bool is_atomic_form(const ir::Modifiers& modifiers);

/// Throws Mistake if the instruction is an atomic with modifiers that cannot be combined.
void check_atomic(const Token& opcode, const ir::Instruction& instruction);

}  // namespace heddle::text
