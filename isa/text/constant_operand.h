// Constants as operands: c[n], c[0x0][0x160], c[0x3][R2+table].
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// A constant of so many bytes, by name or by bank and offset, to which a register may be added where
/// `may_be_indexed`. Throws Mistake.
ir::Operand read_constant(StatementReader& reader, const KernelDraft& draft, unsigned bytes,
                          bool may_be_indexed);

}  // namespace heddle::text
