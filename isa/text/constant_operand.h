// Parses constant operands: c[n], c[0x0][0x160], c[0x3][R2+table].
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/operand_place.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// What can be added to the offset. LDC accepts a register or a uniform register, ULDC a uniform register.
enum class ConstantIndex : std::uint8_t { None, Register, Uniform };

/// Reads a constant of this many bytes, by name or by bank and offset, with an index if that is allowed.
/// Throws Mistake.
ir::Operand read_constant(StatementReader& reader, const KernelDraft& draft, unsigned bytes,
                          ConstantIndex index, OperandPlace& where);

}  // namespace heddle::text
