// Sums that carry into predicates, and functions of predicates alone.
#if defined(HEDDLE_SEMANTICS_CARRY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_CARRY_INL_H_
#undef HEDDLE_SEMANTICS_CARRY_INL_H_
#else
#define HEDDLE_SEMANTICS_CARRY_INL_H_
#endif

#include "isa/exec/semantics_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

HWY_INLINE U32 iadd3(U32 a, U32 b, U32 c) { return a + b + c; }

/// One lane of a mask, as the number 0 or 1.
HWY_INLINE U64 lane_bit(LaneMask mask, unsigned lane) { return mask >> lane & 1; }

/// The carries of a warp's sums, gathered lane by lane.
class Carries {
 public:
  void add(U64 sum, unsigned lane) {
    first_ |= LaneMask{sum >> 32 != 0} << lane;
    second_ |= LaneMask{sum >> 32 > 1} << lane;
  }
  [[nodiscard]] LaneMask give(const LaneArgs& args) const {
    *args.second = second_;
    return first_;
  }

 private:
  LaneMask first_ = 0;   // at least one
  LaneMask second_ = 0;  // two: of three numbers
};

/// The operand comes with its sign applied, modulo 2^32. Subtracting is adding the opposite bits and 1, so that
/// minus zero is 2^32: the carry of a - b says that there is nothing to borrow.
template <bool kNegated>
HWY_INLINE U64 term(U32 value) {
  return kNegated && value == 0 ? U64{1} << 32 : value;
}

/// Bit i of kNegated: source i has a sign.
template <unsigned kNegated>
LaneMask iadd3_carry(const LaneArgs& args) {
  Carries carries;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const U64 sum = term<(kNegated & 1) != 0>(args.a[i]) + term<(kNegated & 2) != 0>(args.b[i]) +
                    term<(kNegated & 4) != 0>(args.c[i]);
    args.out[i] = static_cast<U32>(sum);
    carries.add(sum, i);
  }
  return carries.give(args);
}

inline LaneMask iadd3_extended(const LaneArgs& args) {
  Carries carries;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const U64 carried = lane_bit(args.predicate, i) + lane_bit(args.more_predicates[0], i);
    const U64 sum = U64{args.a[i]} + args.b[i] + args.c[i] + carried;
    args.out[i] = static_cast<U32>(sum);
    carries.add(sum, i);
  }
  return carries.give(args);
}

/// b plus the low word of a shifted left; each may have a sign.
template <bool kNegatedA, bool kNegatedB>
LaneMask lea(const LaneArgs& args) {
  const U32 shift = args.immediate & 31;
  Carries carries;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const U64 sum = term<kNegatedA>(args.a[i] << shift) + term<kNegatedB>(args.b[i]);
    args.out[i] = static_cast<U32>(sum);
    carries.add(sum, i);
  }
  return carries.give(args);
}

inline LaneMask lea_extended(const LaneArgs& args) {
  const U32 shift = args.immediate & 31;
  Carries carries;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const U64 sum = U64{args.a[i] << shift} + args.b[i] + lane_bit(args.predicate, i);
    args.out[i] = static_cast<U32>(sum);
    carries.add(sum, i);
  }
  return carries.give(args);
}

/// b plus the high word of c:a shifted left, perhaps plus a carry. Where kSignExtended, c is the sign of a.
template <bool kSignExtended, bool kCarriesIn, bool kNegatedB>
LaneMask lea_high(const LaneArgs& args) {
  const U32 shift = args.immediate & 31;
  Carries carries;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const U32 a = args.a[i];
    const U32 high = !kSignExtended ? args.c[i] : (a >> 31 != 0 ? ~U32{0} : 0);
    const U64 shifted = (U64{high} << 32 | a) << shift >> 32;
    const U64 sum = shifted + term<kNegatedB>(args.b[i]) + (kCarriesIn ? lane_bit(args.predicate, i) : 0);
    args.out[i] = static_cast<U32>(sum);
    carries.add(sum, i);
  }
  return carries.give(args);
}

/// Any function of three predicates: the truth table's bit 4a + 2b + c is the result.
HWY_INLINE LaneMask look_up(U32 table, LaneMask a, LaneMask b, LaneMask c) {
  LaneMask result = 0;
  for (unsigned t = 0; t < 8; ++t) {
    const LaneMask here = ((t & 4) != 0 ? a : ~a) & ((t & 2) != 0 ? b : ~b) & ((t & 1) != 0 ? c : ~c);
    if ((table >> t & 1) != 0) result |= here;
  }
  return result;
}

inline LaneMask plop3(const LaneArgs& args) {
  const LaneMask* further = args.more_predicates;
  *args.second = look_up(args.immediate >> 8, args.predicate, further[0], further[1]);
  return look_up(args.immediate, args.predicate, further[0], further[1]);
}

template <>
inline LaneFunction select<ir::Opcode::Iadd3>(const ir::Instruction& instruction) {
  static constexpr LaneFunction kCarrying[] = {iadd3_carry<0>, iadd3_carry<1>, iadd3_carry<2>, iadd3_carry<3>,
                                               iadd3_carry<4>, iadd3_carry<5>, iadd3_carry<6>, iadd3_carry<7>};
  const auto& operands = instruction.operands;  // result, two carries, three sources
  if (ir::is_true_predicate(operands[1].index) && ir::is_true_predicate(operands[2].index)) return ternary<iadd3>;
  return kCarrying[(operands[3].negated ? 1U : 0) | (operands[4].negated ? 2U : 0) | (operands[5].negated ? 4U : 0)];
}

template <>
inline LaneFunction select<ir::Opcode::Iadd3X>(const ir::Instruction&) { return iadd3_extended; }

inline LaneMask imad_extended(const LaneArgs& args) {
  for (unsigned i = 0; i < args.lanes; ++i) {
    args.out[i] = args.a[i] * args.b[i] + args.c[i] + static_cast<U32>(lane_bit(args.predicate, i));
  }
  return 0;
}

/// The 64-bit product of two words.
template <bool kSigned>
HWY_INLINE U64 product_of(U32 a, U32 b) {
  if (!kSigned) return U64{a} * b;
  return static_cast<U64>(std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b));
}

/// a * b + c, in 64 bits, perhaps plus a carry; and what is carried out of them. c comes with its sign applied: where
/// that is minus zero, it is 2^64, as in sums of words.
template <bool kSigned, bool kHigh, bool kCarriesIn, bool kNegated>
LaneMask imad_wide_carry(const LaneArgs& args) {
  LaneMask carries = 0;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const U64 c = lane_value<U64>(args.c, i, args.lanes);
    const U64 product = product_of<kSigned>(args.a[i], args.b[i]);
    const U64 without = product + c;
    const U64 sum = without + (kCarriesIn ? lane_bit(args.predicate, i) : 0);
    const bool carry = without < c || sum < without || (kNegated && c == 0);
    carries |= LaneMask{carry} << i;
    if (kHigh) {
      args.out[i] = static_cast<U32>(sum >> 32);
    } else {
      set_lane(args.out, i, args.lanes, sum);
    }
  }
  return carries;
}

/// Selects the function of IMAD.WIDE or IMAD.HI.
template <bool kHigh>
LaneFunction select_imad_carry(const ir::Instruction& instruction) {
  const bool is_negated = instruction.operands[4].negated;  // result, carry, three sources
  if (instruction.modifiers.has(ir::Modifier::IntTypeU32)) {
    return is_negated ? imad_wide_carry<false, kHigh, false, true> : imad_wide_carry<false, kHigh, false, false>;
  }
  return is_negated ? imad_wide_carry<true, kHigh, false, true> : imad_wide_carry<true, kHigh, false, false>;
}

/// Compares the high words of 64-bit numbers: the comparison holds if it holds strictly, or if they are equal and it
/// held for the low words.
template <typename Word, typename Strict>
LaneMask compare_high_words(const LaneArgs& args) {
  const LaneMask equal = compare_rows<Word, Equal>(args);
  return compare_rows<Word, Strict>(args) | (equal & args.more_predicates[0]);
}

template <typename Word>
LaneMask equal_high_words(const LaneArgs& args) {
  return compare_rows<Word, Equal>(args) & args.more_predicates[0];
}

template <typename Word>
LaneMask different_high_words(const LaneArgs& args) {
  return opposite_of<Word, Equal>(args) | args.more_predicates[0];
}

template <typename Word>
LaneFunction select_high_word_compare(ir::Modifier compare) {
  switch (compare) {
    case ir::Modifier::CompareLt:
    case ir::Modifier::CompareLe: return compare_high_words<Word, Less>;
    case ir::Modifier::CompareGt:
    case ir::Modifier::CompareGe: return compare_high_words<Word, Greater>;
    case ir::Modifier::CompareEq: return equal_high_words<Word>;
    default: return different_high_words<Word>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::ImadWideX>(const ir::Instruction&) {
  return imad_wide_carry<false, false, true, false>;
}

template <>
inline LaneFunction select<ir::Opcode::ImadHiX>(const ir::Instruction&) {
  return imad_wide_carry<false, true, true, false>;
}

template <>
inline LaneFunction select<ir::Opcode::ImadX>(const ir::Instruction&) { return imad_extended; }
template <>
inline LaneFunction select<ir::Opcode::ImadU32X>(const ir::Instruction&) { return imad_extended; }

template <>
inline LaneFunction select<ir::Opcode::Lea>(const ir::Instruction& instruction) {
  static constexpr LaneFunction kSigned[] = {lea<false, false>, lea<true, false>, lea<false, true>, lea<true, true>};
  const auto& operands = instruction.operands;  // result, carry, two sources
  return kSigned[(operands[2].negated ? 1U : 0) | (operands[3].negated ? 2U : 0)];
}

template <>
inline LaneFunction select<ir::Opcode::LeaX>(const ir::Instruction&) { return lea_extended; }

/// Selects the function of a form of LEA.HI: the operand that is added may be negated.
template <bool kSignExtended, bool kCarriesIn>
LaneFunction select_lea_high(const ir::Instruction& instruction) {
  // ~b and a carry are added as they come.
  if (kCarriesIn || !instruction.operands[3].negated) return lea_high<kSignExtended, kCarriesIn, false>;
  return lea_high<kSignExtended, kCarriesIn, true>;
}

template <>
inline LaneFunction select<ir::Opcode::LeaHi>(const ir::Instruction& instruction) {
  return select_lea_high<false, false>(instruction);
}
template <>
inline LaneFunction select<ir::Opcode::LeaHiX>(const ir::Instruction& instruction) {
  return select_lea_high<false, true>(instruction);
}
template <>
inline LaneFunction select<ir::Opcode::LeaHiSx32>(const ir::Instruction& instruction) {
  return select_lea_high<true, false>(instruction);
}
template <>
inline LaneFunction select<ir::Opcode::LeaHiXSx32>(const ir::Instruction& instruction) {
  return select_lea_high<true, true>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Plop3>(const ir::Instruction&) { return plop3; }

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_CARRY_INL_H_
