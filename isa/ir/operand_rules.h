// Rules for operands that a row of the instruction table implies beyond its roles.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ir/kernel.h"

namespace heddle::ir {

/// The sums of a warpgroup product begin at a multiple of 4, as in all code that the compiler emits.
inline constexpr unsigned kSumsAlignment = 4;
inline constexpr unsigned kMostAlignment = 8;  ///< Of a matrix in registers.

/// The predicates that are allowed: P0 with one value per lane, or UP0 with one value for the warp.
enum class PredicateFile : std::uint8_t { Lanes, Warp, Either };

/// The predicates that are allowed in this role.
PredicateFile predicate_file(OperandRole role);

/// Whether a number is allowed in this role beside a register.
bool takes_numbers(OperandRole role);

/// Whether a uniform register is allowed in this role beside a register.
bool takes_uniforms(OperandRole role);

/// Whether uniform registers are the only registers that are allowed in this role.
bool is_uniform_role(OperandRole role);

/// Whether operands of this role can have a sign: sources of float rows, and of rows that add integers.
bool allows_negation(const OpcodeInfo& row, OperandRole role);

/// Whether the hardware has a sign for this operand, if its role allows one. There is none for a value in two
/// operands, as in LEA.HI.
bool may_be_negated(const OpcodeInfo& row, unsigned place);

/// Whether |R1| is allowed in this role: only in float rows.
bool allows_absolute(const OpcodeInfo& row, OperandRole role);

/// Whether a part of a register can be read in this role: .H0_H0 or .H1_H1 in rows of halves; .H1 or .B1 to
/// .B3 if the modifiers say that a 16-bit or 8-bit integer is read.
bool allows_part(const Instruction& instruction, OperandRole role, RegisterPart part);

/// Whether the predicates that it writes must be PT or UPT, because the values that hardware would write are
/// not modelled.
bool writes_true_only(Opcode opcode);

/// The greatest number that is allowed in this role; empty if there is no limit.
std::optional<std::uint32_t> number_limit(const OpcodeInfo& row, OperandRole role);

/// The value of an operand that is left out; nothing if it is required.
std::optional<Operand> omitted_operand(const OpcodeInfo& row, unsigned place);

/// One more than the highest physical register that the instruction reads or writes.
unsigned registers_needed(const Instruction& instruction);

/// Whether kernels have a constant bank with this number.
bool is_constant_bank(std::uint64_t bank);

/// The end of the parameters in constant bank 0.
std::uint64_t params_end(const Kernel& kernel);

}  // namespace heddle::ir
