// What a row of the instruction table implies for operands beyond their roles.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ir/kernel.h"

namespace heddle::ir {

/// Sums of warpgroups' products begin at a multiple of 4, as the registers of every product that the compiler
/// emits do.
inline constexpr unsigned kSumsAlignment = 4;

/// Which predicates may stand in a place: P0, one truth value a lane, or UP0, one for the warp.
enum class PredicateFile : std::uint8_t { Lanes, Warp, Either };

PredicateFile predicate_file(OperandRole role);

/// Whether a number may stand in this role as well as a register.
bool takes_numbers(OperandRole role);

/// Whether a uniform register may stand in this role as well as another one.
bool takes_uniforms(OperandRole role);

/// Whether only uniform registers may stand in this role, or what is no register.
bool is_uniform_role(OperandRole role);

/// Whether operands of this role may carry a sign: sources of float rows, and of rows that add integers.
bool allows_negation(const OpcodeInfo& row, OperandRole role);

/// Of such operands, those in which hardware has a sign: of a value in two operands, as LEA.HI takes it,
/// none.
bool may_be_negated(const OpcodeInfo& row, unsigned place);

/// Whether |R1| may stand in this role: only in float rows.
bool allows_absolute(const OpcodeInfo& row, OperandRole role);

/// Whether .H0_H0 or .H1_H1 may stand behind operands of this role, in rows of halves; or .H1 or .B1 to .B3,
/// where the modifiers say that an integer of 16 or 8 bits is read.
bool allows_part(const Instruction& instruction, OperandRole role, RegisterPart part);

/// Whether the predicates that it writes can only be PT or UPT: what hardware would leave there is not
/// modelled.
bool writes_true_only(Opcode opcode);

/// The greatest number in this role; nothing where it may be any.
std::optional<std::uint32_t> number_limit(const OpcodeInfo& row, OperandRole role);

/// What an operand is when it is left out; nothing if it must be there.
std::optional<Operand> omitted_operand(const OpcodeInfo& row, unsigned place);

/// One more than the highest register that the instruction reads or writes, but for virtual ones.
unsigned registers_needed(const Instruction& instruction);

/// Whether kernels have a constant bank of this number.
bool is_constant_bank(std::uint64_t bank);

/// Where the parameters end in constant bank 0.
std::uint64_t params_end(const Kernel& kernel);

}  // namespace heddle::ir
