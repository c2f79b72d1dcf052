// Parses address operands: [R2.64+UR4+0x10], [R2.X4+tile], [R2+0x8]. They are sums of which each part can be
// left out.
#pragma once

#include <string_view>

#include "isa/text/kernel_draft.h"
#include "isa/text/operand_place.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Reads a sum of a register pair (or a register without sign), a uniform register pair and numbers. Numbers
/// alone are not allowed. Throws Mistake.
ir::Operand read_global_address(StatementReader& reader, const KernelDraft& draft, OperandPlace& where);

/// Reads a sum of a register, which can be scaled, a uniform register, shared symbols and numbers. Throws
/// Mistake.
ir::Operand read_shared_address(StatementReader& reader, const KernelDraft& draft, OperandPlace& where);

/// Reads a sum of a register and numbers. Throws Mistake.
ir::Operand read_local_address(StatementReader& reader, const KernelDraft& draft, OperandPlace& where);

/// Whether the word is a register in a shared-memory address: R2, R2.X4 or UR4.
bool is_address_register(std::string_view word);

}  // namespace heddle::text
