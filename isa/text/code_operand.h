// Parses operands that name a place in the code.
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

// The operand stands at this position of its row. The Pc is filled in when the kernel's labels are all known.
// Throw Mistake.

/// A label, which disassemblers put into `(...), or an address.
ir::Operand read_target(StatementReader& reader, KernelDraft& draft, unsigned place);

/// Whether 32@lo((NAME + .L_x_5@srel)) follows, one half of an instruction's address.
bool relocation_follows(const StatementReader& reader);
/// Reads such a relocation. Its label stands for the instruction, as where a branch goes; no address needs a
/// high half.
ir::Operand read_relocation(StatementReader& reader, KernelDraft& draft, unsigned place);

}  // namespace heddle::text
