// Parses and checks the operands of warpgroup products.
#pragma once

#include "isa/ir/instruction.h"
#include "isa/text/lexer.h"
#include "isa/text/statement_reader.h"

namespace heddle::text {

/// The sums begin at a multiple of 4, like the registers of every product that the compiler emits.
inline constexpr unsigned kSumsAlignment = 4;

/// Reads gdesc[UR4], with .tnspA or .tnspB if present: the first of `width` uniform registers. Throws
/// Mistake.
ir::Operand read_matrix_descriptors(StatementReader& reader, unsigned width);

/// Throws Mistake if the instruction is a warpgroup product whose operands do not fit together: the sums must
/// be the same registers as input and output, and a transposed matrix must be in shared memory.
void check_product(const Token& opcode, const ir::Instruction& instruction);

/// Throws Mistake if an instruction on uniform registers has an ordinary guard. Such instructions have
/// uniform predicates.
void check_uniform_guard(const Token& opcode, const ir::Instruction& instruction);

}  // namespace heddle::text
