// Operands of warpgroup products: how they are written, and which go together.
#pragma once

#include "isa/ir/instruction.h"
#include "isa/text/lexer.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Sums begin at a multiple of 4, as the registers of every product that the compiler emits do.
inline constexpr unsigned kSumsAlignment = 4;

/// gdesc[UR4], perhaps with .tnspA or .tnspB behind it: the first of `width` uniform registers. Throws
/// Mistake.
ir::Operand read_matrix_descriptors(StatementReader& reader, unsigned width);

/// Throws Mistake if the instruction is a warpgroup product whose operands do not go together: the sums that
/// it adds to are those that it leaves, and what is transposed lies in shared memory.
void check_product(const Token& opcode, const ir::Instruction& instruction);

/// Throws Mistake if a guard stands before an instruction on uniform registers: those have predicates of
/// their own.
void check_uniform_guard(const Token& opcode, const ir::Instruction& instruction);

}  // namespace heddle::text
