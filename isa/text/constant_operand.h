// Constants as operands: c[n], c[0x0][0x160], c[0x3][R2+table].
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// What may be added to the offset: LDC takes a register or a uniform one, ULDC a uniform one.
enum class ConstantIndex : std::uint8_t { None, Register, Uniform };

/// A constant of so many bytes, by name or by bank and offset, perhaps with an index. Throws Mistake.
ir::Operand read_constant(StatementReader& reader, const KernelDraft& draft, unsigned bytes,
                          ConstantIndex index);

}  // namespace heddle::text
