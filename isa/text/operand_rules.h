// What a row of the instruction table implies for operands and modifiers beyond their roles and groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/ir/instruction.h"

namespace heddle::text {

/// Whether a number may be written in this role as well as a register.
bool takes_numbers(ir::OperandRole role);

/// Whether a uniform register may be written in this role.
bool takes_uniforms(ir::OperandRole role);

/// Whether operands of this role may carry a sign: sources of float rows, and of rows that add integers.
bool allows_negation(const ir::OpcodeInfo& row, ir::OperandRole role);

/// Of such operands, those in which hardware has a sign: of a value in two operands, as LEA.HI takes it, none.
bool may_be_negated(const ir::OpcodeInfo& row, unsigned place);

/// The sign that negated operands carry in text: in the high words of sums, bits are inverted instead.
char negation_sign(const ir::OpcodeInfo& row);

/// Whether |R1| may stand in this role: only in float rows.
bool allows_absolute(const ir::OpcodeInfo& row, ir::OperandRole role);

/// Whether .H0_H0 or .H1_H1 may stand behind operands of this role, in rows of halves; or .H1 or .B1 to .B3, where the
/// modifiers say that an integer of 16 or 8 bits is read.
bool allows_part(const ir::Instruction& instruction, ir::OperandRole role, ir::RegisterPart part);

/// Whether 0.5 may stand for its bits: in float rows, and in rows that move bits without looking at them.
bool allows_float_literals(const ir::OpcodeInfo& row);

/// Whether the predicates that it writes can only be PT or UPT: what hardware would leave there is not modelled.
bool writes_true_only(ir::Opcode opcode);

/// The greatest value of an operand in the Immediate role.
std::uint32_t immediate_limit(const ir::OpcodeInfo& row);

/// What an operand is when it is left out; nothing if it must be there.
std::optional<ir::Operand> omitted_operand(const ir::OpcodeInfo& row, unsigned place);

/// The modifier of this row that is written so, if it has one.
std::optional<ir::Modifier> find_modifier(const ir::OpcodeInfo& row, std::string_view token);

/// Whether the row accepts the modifier: its group is among the row's, and it can be written.
bool accepts(const ir::OpcodeInfo& row, ir::Modifier modifier);

/// One more than the highest register that the instruction reads or writes.
unsigned registers_needed(const ir::Instruction& instruction);

}  // namespace heddle::text
