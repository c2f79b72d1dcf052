// One instruction: guard, opcode with its modifiers, operands.
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Reads an instruction and appends it to the kernel. Mistakes in operands are added, and reading goes on
/// with the next operand; throws Mistake where it cannot go on.
void read_instruction(StatementReader& reader, KernelDraft& draft, Mistakes& mistakes);

}  // namespace heddle::text
