// Parses one instruction: guard, opcode with its modifiers, operands.
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Reads an instruction and appends it to the kernel. After a mistake in an operand, reading continues with
/// the next one. Throws Mistake if it cannot continue.
void read_instruction(StatementReader& reader, KernelDraft& draft, Mistakes& mistakes);

}  // namespace heddle::text
