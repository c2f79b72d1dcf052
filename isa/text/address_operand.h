// Addresses as operands: [R2.64+UR4+0x10], [R2.X4+tile], [R2+0x8]. Sums, of which each part may be left out.
#pragma once

#include <string_view>

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Of a register pair, or a register without a sign, a uniform pair and numbers, not of numbers alone. Throws
/// Mistake.
ir::Operand read_global_address(StatementReader& reader, const KernelDraft& draft);

/// Of a register, perhaps scaled, a uniform register, shared symbols and numbers. Throws Mistake.
ir::Operand read_shared_address(StatementReader& reader, const KernelDraft& draft);

/// Of a register and numbers. Throws Mistake.
ir::Operand read_local_address(StatementReader& reader, const KernelDraft& draft);

/// Whether the word names a register in an address in shared memory: R2, R2.X4 or UR4.
bool is_address_register(std::string_view word);

}  // namespace heddle::text
