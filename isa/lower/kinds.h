// The types of PTX instructions, as selection asks for them.
#pragma once

#include <utility>

#include "isa/lower/selection.h"

namespace heddle::lower {

inline bool is_float(ptx::Modifier type) {
  const ptx::TypeKind kind = ptx::info(type).kind;
  return kind == ptx::TypeKind::Float || kind == ptx::TypeKind::Packed;
}
/// .s32 and so on; numbers of unknown kind (.b32) count as unsigned.
inline bool is_signed(ptx::Modifier type) { return ptx::info(type).kind == ptx::TypeKind::Signed; }
inline unsigned bits_of(ptx::Modifier type) { return ptx::info(type).bits; }

inline ir::Modifier int_type(ptx::Modifier type) {
  return is_signed(type) ? ir::Modifier::IntTypeS32 : ir::Modifier::IntTypeU32;
}

/// Swaps the operands if only the second one is a register, where their order makes no difference:
/// instructions take numbers and constants second.
inline void put_register_first(Operand& a, Operand& b) {
  if (!is_register(a) && is_register(b)) std::swap(a, b);
}

/// -a, as a number if `a` is one.
inline Operand minus(const Operand& value) {
  if (is_number(value)) return number(static_cast<std::uint32_t>(0 - value.value));
  return is_zero(value) ? value : negative(value);
}

}  // namespace heddle::lower
