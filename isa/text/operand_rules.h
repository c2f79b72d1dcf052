// Rules for operands and modifiers that a row of the instruction table implies beyond its roles and groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/ir/instruction.h"

namespace heddle::text {

/// Whether a number is allowed in this role beside a register.
bool takes_numbers(ir::OperandRole role);

/// Whether a uniform register is allowed in this role.
bool takes_uniforms(ir::OperandRole role);

/// Whether operands of this role can have a sign: sources of float rows, and of rows that add integers.
bool allows_negation(const ir::OpcodeInfo& row, ir::OperandRole role);

/// Whether the hardware has a sign for this operand, if its role allows one. There is none for a value in two
/// operands, as in LEA.HI.
bool may_be_negated(const ir::OpcodeInfo& row, unsigned place);

/// The sign of negated operands in text. For the high words of sums it stands for inverted bits.
char negation_sign(const ir::OpcodeInfo& row);

/// Whether |R1| is allowed in this role: only in float rows.
bool allows_absolute(const ir::OpcodeInfo& row, ir::OperandRole role);

/// Whether a part of a register can be read in this role: .H0_H0 or .H1_H1 in rows of halves; .H1 or .B1 to
/// .B3 if the modifiers say that a 16-bit or 8-bit integer is read.
bool allows_part(const ir::Instruction& instruction, ir::OperandRole role, ir::RegisterPart part);

/// Whether 0.5 can be written for its bits: in float rows, and in rows that only move bits.
bool allows_float_literals(const ir::OpcodeInfo& row);

/// Whether the predicates that it writes must be PT or UPT, because the values that hardware would write are
/// not modelled.
bool writes_true_only(ir::Opcode opcode);

/// The greatest value of an operand with the role Immediate.
std::uint32_t immediate_limit(const ir::OpcodeInfo& row);

/// The value of an operand that is left out; nothing if it is required.
std::optional<ir::Operand> omitted_operand(const ir::OpcodeInfo& row, unsigned place);

/// The modifier of this row with this text, if there is one.
std::optional<ir::Modifier> find_modifier(const ir::OpcodeInfo& row, std::string_view token);

/// Whether the row allows the modifier: the row has its group, and it can be written.
bool accepts(const ir::OpcodeInfo& row, ir::Modifier modifier);

/// One more than the highest register that the instruction reads or writes.
unsigned registers_needed(const ir::Instruction& instruction);

}  // namespace heddle::text
