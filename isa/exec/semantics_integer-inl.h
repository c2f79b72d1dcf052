// Integer arithmetic, logic, comparison and moves, as one lane does them.
#if defined(HEDDLE_SEMANTICS_INTEGER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_INTEGER_INL_H_
#undef HEDDLE_SEMANTICS_INTEGER_INL_H_
#else
#define HEDDLE_SEMANTICS_INTEGER_INL_H_
#endif

#include <algorithm>

#include "isa/exec/semantics_carry-inl.h"
#include "isa/exec/semantics_wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

HWY_INLINE U32 mov(U32 a) { return a; }
HWY_INLINE U32 imad(U32 a, U32 b, U32 c) { return a * b + c; }

HWY_INLINE U64 imad_wide_signed(U32 a, U32 b, U64 c) {
  const auto product = std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b);
  return static_cast<U64>(product) + c;
}

HWY_INLINE U64 imad_wide_unsigned(U32 a, U32 b, U64 c) { return U64{a} * b + c; }

// A funnel shift moves the 64-bit value c:a (c the high word). Without .HI the low word is the result, with
// it the high word. The type's width is the largest amount, or with .W what amounts are taken modulo (PTX
// ISA, shf.clamp and shf.wrap, for 32 bits; that 64 bits do as much is a guess).
HWY_INLINE U64 funnel(U32 low, U32 high) { return U64{high} << 32 | low; }

template <unsigned kBits, bool kWraps>
HWY_INLINE U32 shift_amount(U32 b) {
  return kWraps ? b % kBits : std::min(b, U32{kBits});
}

template <unsigned kBits, bool kWraps, bool kHigh>
HWY_INLINE U32 shift_left(U32 a, U32 b, U32 c) {
  const U32 amount = shift_amount<kBits, kWraps>(b);
  const U64 shifted = amount > 63 ? 0 : funnel(a, c) << amount;
  return static_cast<U32>(kHigh ? shifted >> 32 : shifted);
}

template <unsigned kBits, bool kWraps, bool kHigh>
HWY_INLINE U32 shift_right(U32 a, U32 b, U32 c) {
  const U32 amount = shift_amount<kBits, kWraps>(b);
  const U64 shifted = amount > 63 ? 0 : funnel(a, c) >> amount;
  return static_cast<U32>(kHigh ? shifted >> 32 : shifted);
}

template <unsigned kBits, bool kWraps, bool kHigh>
HWY_INLINE U32 shift_right_signed(U32 a, U32 b, U32 c) {
  const U32 amount = std::min(shift_amount<kBits, kWraps>(b), 63U);
  const auto shifted = static_cast<U64>(static_cast<std::int64_t>(funnel(a, c)) >> amount);
  return static_cast<U32>(kHigh ? shifted >> 32 : shifted);
}

template <unsigned kBits, bool kWraps, bool kHigh>
LaneFunction select_shift(const ir::Modifiers& modifiers) {
  if (modifiers.has(ir::Modifier::ShiftDirectionLeft)) return ternary<shift_left<kBits, kWraps, kHigh>>;
  const bool is_signed =
      modifiers.has(ir::Modifier::ShiftTypeS32) || modifiers.has(ir::Modifier::ShiftTypeS64);
  return is_signed ? ternary<shift_right_signed<kBits, kWraps, kHigh>>
                   : ternary<shift_right<kBits, kWraps, kHigh>>;
}

template <unsigned kBits, bool kWraps>
LaneFunction select_shifted_half(const ir::Modifiers& modifiers) {
  return modifiers.has(ir::Modifier::HalfHigh) ? select_shift<kBits, kWraps, true>(modifiers)
                                               : select_shift<kBits, kWraps, false>(modifiers);
}

template <unsigned kBits>
LaneFunction select_shift_field(const ir::Modifiers& modifiers) {
  return modifiers.has(ir::Modifier::ShiftFieldWrap) ? select_shifted_half<kBits, true>(modifiers)
                                                     : select_shifted_half<kBits, false>(modifiers);
}

/// A truth table's algebraic normal form: bit i is the coefficient of the product of the variables whose bits are set
/// in i, and the function is the exclusive or of these products.
constexpr U32 normal_form(U32 table) {
  table ^= table << 1 & 0xaaU;
  table ^= table << 2 & 0xccU;
  return table ^ (table << 4 & 0xf0U);
}

/// Any function of three bits: the truth table's bit 4a + 2b + c is the result.
inline LaneMask lop3(const LaneArgs& args) {
  const U32 form = normal_form(args.immediate);
  const auto term = [form](unsigned product) { return 0U - (form >> product & 1U); };
  const U32 none = term(0), only_c = term(1), only_b = term(2), b_c = term(3);
  const U32 only_a = term(4), a_c = term(5), a_b = term(6), a_b_c = term(7);
  for (std::size_t group = 0; group < args.lanes; group += kLaneGroup) {
    U32* out = args.out + group;
    const U32* a = args.a + group;
    const U32* b = args.b + group;
    const U32* c = args.c + group;
    HEDDLE_LANES_INDEPENDENT
    for (std::size_t i = 0; i < kLaneGroup; ++i) {
      const U32 without_a = none ^ (c[i] & only_c) ^ (b[i] & (only_b ^ (c[i] & b_c)));
      const U32 with_a = only_a ^ (c[i] & a_c) ^ (b[i] & (a_b ^ (c[i] & a_b_c)));
      out[i] = without_a ^ (a[i] & with_a);
    }
  }
  return 0;
}

/// With a predicate to write: whether any bit is left, or the predicate operand holds.
inline LaneMask lop3_and_test(const LaneArgs& args) {
  lop3(args);
  LaneMask any = 0;
  for (unsigned i = 0; i < args.lanes; ++i) any |= LaneMask{args.out[i] != 0} << i;
  return any | args.predicate;
}

template <unsigned kRows>
LaneMask copy_rows(const LaneArgs& args) {
  for (unsigned i = 0; i < kRows * args.lanes; ++i) args.out[i] = args.a[i];
  return 0;
}

template <typename Word>
LaneFunction select_compare(ir::Modifier compare) {
  switch (compare) {
    case ir::Modifier::CompareLt: return compare_rows<Word, Less>;
    case ir::Modifier::CompareEq: return compare_rows<Word, Equal>;
    case ir::Modifier::CompareLe: return opposite_of<Word, Greater>;
    case ir::Modifier::CompareGt: return compare_rows<Word, Greater>;
    case ir::Modifier::CompareNe: return opposite_of<Word, Equal>;
    case ir::Modifier::CompareGe: return opposite_of<Word, Less>;
    default: return nullptr;
  }
}

template <>
inline LaneFunction select<ir::Opcode::Mov>(const ir::Instruction&) { return unary<mov>; }

HWY_INLINE U32 iadd(U32 a, U32 b) { return a + b; }

template <>
inline LaneFunction select<ir::Opcode::Viadd>(const ir::Instruction&) { return binary<iadd>; }

template <>
inline LaneFunction select<ir::Opcode::Imad>(const ir::Instruction&) { return ternary<imad>; }

template <>
inline LaneFunction select<ir::Opcode::ImadWide>(const ir::Instruction& instruction) {
  if (!ir::is_true_predicate(instruction.operands[1].index)) return select_imad_carry<false>(instruction);
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? widening<imad_wide_unsigned>
                                                             : widening<imad_wide_signed>;
}

template <>
inline LaneFunction select<ir::Opcode::Lop3>(const ir::Instruction& instruction) {
  return ir::is_true_predicate(instruction.operands[0].index) ? lop3 : lop3_and_test;
}

template <>
inline LaneFunction select<ir::Opcode::Shf>(const ir::Instruction& instruction) {
  const ir::Modifiers& modifiers = instruction.modifiers;
  const bool is_wide = modifiers.has(ir::Modifier::ShiftTypeS64) || modifiers.has(ir::Modifier::ShiftTypeU64);
  return is_wide ? select_shift_field<64>(modifiers) : select_shift_field<32>(modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Isetp>(const ir::Instruction& instruction) {
  const ir::Modifier compare = instruction.modifiers.get(ir::ModifierGroup::Compare);
  if (instruction.modifiers.has(ir::Modifier::IntTypeS64)) return select_wide_compare<std::int64_t>(compare);
  if (instruction.modifiers.has(ir::Modifier::IntTypeU64)) return select_wide_compare<std::uint64_t>(compare);
  const bool is_unsigned = instruction.modifiers.has(ir::Modifier::IntTypeU32);
  if (instruction.modifiers.has(ir::Modifier::HighWordEx)) {
    return is_unsigned ? select_high_word_compare<std::uint32_t>(compare)
                       : select_high_word_compare<std::int32_t>(compare);
  }
  return is_unsigned ? select_compare<std::uint32_t>(compare) : select_compare<std::int32_t>(compare);
}

template <>
inline LaneFunction select<ir::Opcode::Sel>(const ir::Instruction&) { return pick; }

inline LaneFunction select_constant_load(const ir::Instruction& instruction) {
  switch (ir::operand_width(instruction, ir::OperandRole::ConstData)) {
    case 4: return copy_rows<4>;
    case 2: return copy_rows<2>;
    default: return copy_rows<1>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::Ldc>(const ir::Instruction& instruction) {
  return select_constant_load(instruction);
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_INTEGER_INL_H_
