// The two operands in brackets: constants c[n] and addresses [R2.64+0x10].
#pragma once

#include "isa/text/kernel_draft.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// A constant of so many bytes, by name or by bank and offset, to which a register may be added where `may_be_indexed`.
/// Throws Mistake.
ir::Operand read_constant(StatementReader& reader, const KernelDraft& draft, unsigned bytes, bool may_be_indexed);

/// A sum of a register pair and numbers. Throws Mistake.
ir::Operand read_global_address(StatementReader& reader, const KernelDraft& draft);

/// A sum of a register, perhaps scaled, a uniform register, shared symbols and numbers, each of which may be
/// left out. Throws Mistake.
ir::Operand read_shared_address(StatementReader& reader, const KernelDraft& draft);

/// Whether the word names a register in an address in shared memory: R2, R2.X4 or UR4.
bool is_address_register(std::string_view word);

/// A sum of a register and numbers, each of which may be left out. Throws Mistake.
ir::Operand read_local_address(StatementReader& reader, const KernelDraft& draft);

/// Throws Mistake unless `width` registers, from this one on, are aligned and none is past the last.
void check_registers(const Token& at, std::uint8_t first, unsigned width);
/// The same of registers that begin at a multiple of something else than their number.
void check_registers(const Token& at, std::uint8_t first, unsigned width, unsigned alignment);
/// The same of uniform registers.
void check_uniforms(const Token& at, std::uint8_t first, unsigned width);

}  // namespace heddle::text
