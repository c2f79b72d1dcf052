// What the selection of floating-point instructions has in common: their operands, with signs, and their
// modifiers.
#pragma once

#include <functional>

#include "isa/lower/kinds.h"

namespace heddle::lower {

inline constexpr std::uint32_t kSignBit = 0x80000000U;

inline bool is_half(ptx::Modifier type) { return type == ptx::Modifier::F16 || type == ptx::Modifier::F16x2; }
inline bool is_bfloat(ptx::Modifier type) {
  return type == ptx::Modifier::Bf16 || type == ptx::Modifier::Bf16x2;
}

/// A new register.
inline Operand fresh(Selection& s) { return reg(s.builder.fresh()); }
inline Operand fresh_pair(Selection& s) { return reg(s.builder.fresh(2)); }

/// -RZ: adding it changes no number.
inline Operand minus_zero() { return negative(zero()); }

/// An operand of the type, a 16-bit or packed one in a register. Signs that neg and abs have given it are the
/// operand's, where the instruction that reads it has signs for its operands.
Operand float_source(Selection& s, const ptx::Instruction& instruction, const ptx::Operand& operand,
                     ptx::Modifier type);

/// The operand with its sign changed, and without its sign.
Operand flipped(const Operand& operand, ptx::Modifier type);
Operand magnitude(const Operand& operand, ptx::Modifier type);

/// .rn, .rz, .rm, .rp; to nearest where the instruction names none.
ir::Modifier float_rounding(const ptx::Instruction& instruction);
ir::Modifier flush(const ptx::Instruction& instruction);
ir::Modifier saturation(const ptx::Instruction& instruction);

/// What `append` emits is executed only where the predicate holds, too.
void emit_where(Selection& s, const ptx::Instruction& instruction, const Operand& predicate,
                const std::function<void()>& append);

/// The low half of the register as a float.
Operand float_of_half(Selection& s, const Operand& value, ptx::Modifier type);

/// LOP3 of three operands, by its truth table.
void emit_logic(Selection& s, const Operand& result, const Operand& a, const Operand& b, const Operand& c,
                std::uint8_t table);

/// A predicate that holds where |a| compares so with a float.
Operand compare_magnitude(Selection& s, const Operand& a, ir::Modifier compare, std::uint32_t with);

}  // namespace heddle::lower
