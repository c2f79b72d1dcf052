// Single-precision arithmetic, special functions and comparison, as one lane does them.
#if defined(HEDDLE_SEMANTICS_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_FLOAT_INL_H_
#undef HEDDLE_SEMANTICS_FLOAT_INL_H_
#else
#define HEDDLE_SEMANTICS_FLOAT_INL_H_
#endif

#include <cmath>
#include <type_traits>

#include "isa/exec/semantics_rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

/// FADD with its rounding; what other modifiers ask for is added around it.
struct Fadd {
  static constexpr unsigned kSources = 2;
  template <Round kRound>
  static HWY_INLINE U32 compute(U32 a, U32 b, U32) {
    return kRound == Round::Nearest ? as_result(as_float(a) + as_float(b))
                                    : as_result(narrowed_sum<kRound>(widened(a), widened(b)));
  }
};

/// FMUL, likewise.
struct Fmul {
  static constexpr unsigned kSources = 2;
  template <Round kRound>
  static HWY_INLINE U32 compute(U32 a, U32 b, U32) {
    return kRound == Round::Nearest ? as_result(as_float(a) * as_float(b))
                                    : as_result(narrowed<kRound>(widened(a) * widened(b)));
  }
  static HWY_INLINE double exact(U32 a, U32 b, U32) { return widened(a) * widened(b); }
};

/// FFMA, likewise.
struct Ffma {
  static constexpr unsigned kSources = 3;
  template <Round kRound>
  static HWY_INLINE U32 compute(U32 a, U32 b, U32 c) {
    return kRound == Round::Nearest ? as_result(__builtin_fmaf(as_float(a), as_float(b), as_float(c)))
                                    : as_result(narrowed_sum<kRound>(widened(a) * widened(b), widened(c)));
  }
  static HWY_INLINE double exact(U32 a, U32 b, U32 c) { return add_to_odd(widened(a) * widened(b), widened(c)); }
};

/// The operands have no denormals. Sums of such numbers are exact where they are small, so they need no look before
/// they are rounded.
template <typename Operation, Round kRound>
HWY_INLINE U32 flushed_result(U32 a, U32 b, U32 c) {
  const U32 result = Operation::template compute<kRound>(a, b, c);
  if constexpr (std::is_same_v<Operation, Fadd>) {
    return flush(result);
  } else {
    return flush_tiny<kRound>(result, Operation::exact(a, b, c));
  }
}

template <typename Operation, Round kRound, bool kFlush, bool kSaturate>
HWY_INLINE U32 compute(U32 a, U32 b, U32 c) {
  const U32 result = kFlush ? flushed_result<Operation, kRound>(flush(a), flush(b), flush(c))
                            : Operation::template compute<kRound>(a, b, c);
  return kSaturate ? saturate(result) : result;
}

template <typename Operation, Round kRound, bool kFlush, bool kSaturate>
HWY_INLINE U32 compute_two(U32 a, U32 b) {
  return compute<Operation, kRound, kFlush, kSaturate>(a, b, 0);
}

template <typename Operation, Round kRound, bool kFlush, bool kSaturate>
LaneFunction rows_of() {
  if constexpr (Operation::kSources == 2) {
    return binary<compute_two<Operation, kRound, kFlush, kSaturate>>;
  } else {
    return ternary<compute<Operation, kRound, kFlush, kSaturate>>;
  }
}

template <typename Operation, Round kRound>
LaneFunction select_range(const ir::Modifiers& modifiers) {
  const bool saturates = modifiers.has(ir::Modifier::SaturateSat);
  if (modifiers.has(ir::Modifier::FlushFtz)) {
    return saturates ? rows_of<Operation, kRound, true, true>() : rows_of<Operation, kRound, true, false>();
  }
  return saturates ? rows_of<Operation, kRound, false, true>() : rows_of<Operation, kRound, false, false>();
}

template <typename Operation>
LaneFunction select_arithmetic(const ir::Modifiers& modifiers) {
  switch (modifiers.get(ir::ModifierGroup::FloatRounding)) {
    case ir::Modifier::FloatRoundingDown: return select_range<Operation, Round::Down>(modifiers);
    case ir::Modifier::FloatRoundingUp: return select_range<Operation, Round::Up>(modifiers);
    case ir::Modifier::FloatRoundingZero: return select_range<Operation, Round::Zero>(modifiers);
    default: return select_range<Operation, Round::Nearest>(modifiers);
  }
}

/// Floats in the order of their values, -0 before +0, as integers.
HWY_INLINE std::int32_t order_of(U32 bits) {
  return static_cast<std::int32_t>(bits ^ ((bits & kFloatSign) != 0 ? ~kFloatSign : 0));
}

/// The number where the other is none; NaN only if both are, or with kNanWins if one is.
template <bool kLess, bool kFlush, bool kNanWins>
HWY_INLINE U32 fmnmx(U32 a, U32 b) {
  if (kFlush) a = flush(a), b = flush(b);
  const bool a_is_nan = as_float(a) != as_float(a);
  const bool b_is_nan = as_float(b) != as_float(b);
  const bool takes_a = (order_of(a) < order_of(b)) == kLess;
  if (kNanWins && (a_is_nan || b_is_nan)) return kFloatNan;
  if (a_is_nan || b_is_nan) return a_is_nan ? as_result(as_float(b)) : a;
  return takes_a ? a : b;
}

// MUFU takes denormals as zero and gives zero for them, but for TANH: rcp.approx.ftz.f32 and its like of PTX, which say so,
// are MUFU alone. It approximates in hardware, to within the errors of the CUDA programming guide; here each function is
// the double-precision result rounded once. Sine and cosine take their argument in turns, as the hardware does.
HWY_INLINE U32 mufu_rcp(U32 a) { return as_result(1.0F / as_float(a)); }
HWY_INLINE U32 mufu_rsq(U32 a) {
  return as_result(static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(as_float(a)))));
}
HWY_INLINE U32 mufu_sqrt(U32 a) { return as_result(__builtin_sqrtf(as_float(a))); }
HWY_INLINE U32 mufu_ex2(U32 a) { return as_result(static_cast<float>(std::exp2(static_cast<double>(as_float(a))))); }
HWY_INLINE U32 mufu_lg2(U32 a) { return as_result(static_cast<float>(std::log2(static_cast<double>(as_float(a))))); }

HWY_INLINE U32 mufu_tanh(U32 a) { return as_result(static_cast<float>(std::tanh(static_cast<double>(as_float(a))))); }

inline constexpr double kRadiansPerTurn = 6.283185307179586476925;

HWY_INLINE U32 mufu_sin(U32 a) {
  return as_result(static_cast<float>(std::sin(static_cast<double>(as_float(a)) * kRadiansPerTurn)));
}
HWY_INLINE U32 mufu_cos(U32 a) {
  return as_result(static_cast<float>(std::cos(static_cast<double>(as_float(a)) * kRadiansPerTurn)));
}

template <U32 (*kFunction)(U32)>
HWY_INLINE U32 without_denormals(U32 a) { return flush(kFunction(flush(a))); }

// The high word of a double in, the high word of the result out. Denormals count as zero, as rcp.approx.ftz.f64 of the
// PTX ISA says, which is this instruction.
HWY_INLINE U32 flush_high_word(U32 bits) { return (bits & 0x7ff00000) == 0 ? bits & kFloatSign : bits; }
HWY_INLINE U32 high_word(double value) {
  return value != value ? kFloatNan : flush_high_word(static_cast<U32>(std::bit_cast<U64>(value) >> 32));
}
HWY_INLINE U32 mufu_rcp64h(U32 a) { return high_word(1.0 / as_double(U64{flush_high_word(a)} << 32)); }
HWY_INLINE U32 mufu_rsq64h(U32 a) { return high_word(1.0 / __builtin_sqrt(as_double(U64{flush_high_word(a)} << 32))); }

// A comparison with U holds for NaN too: it is the opposite of the opposite ordered comparison.
template <typename Opposite>
LaneMask unordered(const LaneArgs& args) {
  return opposite_of<float, Opposite>(args);
}

/// NUM: neither operand is NaN.
struct Ordered {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::And(hn::Eq(a, a), hn::Eq(b, b)); }
};

/// NE is ordered (false for NaN), unlike the host's !=.
struct LessOrGreater {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::Or(hn::Lt(a, b), hn::Gt(a, b)); }
};

/// A comparison after .FTZ.
template <typename Comparison>
struct Flushed {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return Comparison()(flushed(a), flushed(b)); }

 private:
  template <typename V>
  static HWY_INLINE V flushed(V value) {
    const hn::DFromV<V> tag;
    return hn::IfThenZeroElse(hn::Lt(hn::Abs(value), hn::Set(tag, as_float(kLeastNormal))), value);
  }
};

template <>
inline LaneFunction select<ir::Opcode::Fadd>(const ir::Instruction& instruction) {
  return select_arithmetic<Fadd>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Fmul>(const ir::Instruction& instruction) {
  return select_arithmetic<Fmul>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Ffma>(const ir::Instruction& instruction) {
  return select_arithmetic<Ffma>(instruction.modifiers);
}

/// The lesser and the greater, as what makes a function of rows of them takes them.
template <template <U32 (*)(U32, U32), U32 (*)(U32, U32)> typename OfRows>
LaneFunction select_fmnmx(const ir::Modifiers& modifiers) {
  const bool nan_wins = modifiers.has(ir::Modifier::NanWinsNan);
  if (modifiers.has(ir::Modifier::FlushFtz)) {
    return nan_wins ? OfRows<fmnmx<true, true, true>, fmnmx<false, true, true>>::function
                    : OfRows<fmnmx<true, true, false>, fmnmx<false, true, false>>::function;
  }
  return nan_wins ? OfRows<fmnmx<true, false, true>, fmnmx<false, false, true>>::function
                  : OfRows<fmnmx<true, false, false>, fmnmx<false, false, false>>::function;
}

/// FMNMX: the lesser or the greater of two.
template <U32 (*kLesser)(U32, U32), U32 (*kGreater)(U32, U32)>
struct OfTwo {
  static constexpr LaneFunction function = one_of_two<kLesser, kGreater>;
};

/// FMNMX3: the least or the greatest of three.
template <U32 (*kLesser)(U32, U32), U32 (*kGreater)(U32, U32)>
struct OfThree {
  static constexpr LaneFunction function = one_of_three<kLesser, kGreater>;
};

template <>
inline LaneFunction select<ir::Opcode::Fmnmx>(const ir::Instruction& instruction) {
  return select_fmnmx<OfTwo>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Fmnmx3>(const ir::Instruction& instruction) {
  return select_fmnmx<OfThree>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Fsel>(const ir::Instruction&) { return pick; }

/// What becomes of a comparison: FSETP leaves it as it is.
template <LaneFunction kCompare>
struct ToPredicate {
  static constexpr LaneFunction function = kCompare;
};

/// The relations of floats by the names that select_comparison asks for.
struct FloatRelations {
  using IsLess = Less;
  using IsEqual = Equal;
  using IsLessOrEqual = LessOrEqual;
  using IsGreater = Greater;
  using IsLessOrGreater = LessOrGreater;
  using IsGreaterOrEqual = GreaterOrEqual;
  using IsOrdered = Ordered;
};

/// A comparison's function for a relation, as select_comparison asks for it: `Operands` flushes denormals or does
/// not, `To` writes a predicate or a register.
template <template <typename> typename Operands, template <LaneFunction> typename To>
struct FloatComparison {
  template <typename Relation, bool kOpposite>
  static constexpr LaneFunction function() {
    if constexpr (kOpposite) return To<unordered<Operands<Relation>>>::function;
    if constexpr (!kOpposite) return To<compare_rows<float, Operands<Relation>>>::function;
  }
};

template <template <typename> typename Operands, template <LaneFunction> typename To>
LaneFunction select_float_compare(ir::Modifier compare) {
  return select_comparison<FloatRelations, FloatComparison<Operands, To>>(compare);
}

template <typename Comparison>
using Unflushed = Comparison;

template <>
inline LaneFunction select<ir::Opcode::Fsetp>(const ir::Instruction& instruction) {
  const ir::Modifier compare = instruction.modifiers.get(ir::ModifierGroup::Compare);
  return instruction.modifiers.has(ir::Modifier::FlushFtz) ? select_float_compare<Flushed, ToPredicate>(compare)
                                                           : select_float_compare<Unflushed, ToPredicate>(compare);
}

/// FSET.AND: the comparison holds, and so does the predicate.
struct Both {
  HWY_INLINE LaneMask operator()(LaneMask a, LaneMask b) const { return a & b; }
};
/// FSET.OR: either of them holds.
struct Either {
  HWY_INLINE LaneMask operator()(LaneMask a, LaneMask b) const { return a | b; }
};
/// FSET.XOR: exactly one of them holds.
struct OneOnly {
  HWY_INLINE LaneMask operator()(LaneMask a, LaneMask b) const { return a ^ b; }
};

/// FSET.BF: writes 1.0 or 0 to the lanes of a register.
template <typename Combine>
struct ToFloat {
  /// What FloatComparison takes as `To`.
  template <LaneFunction kCompare>
  struct Of {
    static LaneMask function(const LaneArgs& args) {
      const LaneMask holds = Combine()(kCompare(args), args.predicate);
      for (unsigned i = 0; i < args.lanes; ++i) args.out[i] = (holds >> i & 1) != 0 ? as_result(1.0F) : 0;
      return 0;
    }
  };
};

template <typename Combine>
LaneFunction select_set(const ir::Modifiers& modifiers) {
  const ir::Modifier compare = modifiers.get(ir::ModifierGroup::Compare);
  return modifiers.has(ir::Modifier::FlushFtz) ? select_float_compare<Flushed, ToFloat<Combine>::template Of>(compare)
                                               : select_float_compare<Unflushed, ToFloat<Combine>::template Of>(compare);
}

template <>
inline LaneFunction select<ir::Opcode::FsetBf>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::Bool)) {
    case ir::Modifier::BoolAnd: return select_set<Both>(instruction.modifiers);
    case ir::Modifier::BoolOr: return select_set<Either>(instruction.modifiers);
    case ir::Modifier::BoolXor: return select_set<OneOnly>(instruction.modifiers);
    default: return nullptr;
  }
}

/// Whether a / b is not safe from overflow and underflow on the way; only exponents count. Measured on compute
/// capability 12.0 (GitHub, cicuvc/nvidia-sass-document, test_fchk.py).
HWY_INLINE bool needs_slow_division(U32 a, U32 b) {
  const auto of_a = static_cast<int>(a >> 23 & 255);
  const auto of_b = static_cast<int>(b >> 23 & 255);
  const int of_quotient = of_a - of_b;
  return of_a < 25 || of_a > 254 || of_b < 2 || of_b > 251 || of_quotient < -124 || of_quotient > 126;
}

inline LaneMask fchk(const LaneArgs& args) {
  LaneMask result = 0;
  for (unsigned i = 0; i < args.lanes; ++i) result |= LaneMask{needs_slow_division(args.a[i], args.b[i])} << i;
  return result;
}

template <>
inline LaneFunction select<ir::Opcode::Fchk>(const ir::Instruction&) { return fchk; }

template <>
inline LaneFunction select<ir::Opcode::Mufu>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::Function)) {
    case ir::Modifier::FunctionRcp: return unary<without_denormals<mufu_rcp>>;
    case ir::Modifier::FunctionRsq: return unary<without_denormals<mufu_rsq>>;
    case ir::Modifier::FunctionSqrt: return unary<without_denormals<mufu_sqrt>>;
    case ir::Modifier::FunctionEx2: return unary<without_denormals<mufu_ex2>>;
    case ir::Modifier::FunctionLg2: return unary<without_denormals<mufu_lg2>>;
    case ir::Modifier::FunctionSin: return unary<without_denormals<mufu_sin>>;
    case ir::Modifier::FunctionCos: return unary<without_denormals<mufu_cos>>;
    case ir::Modifier::FunctionTanh: return unary<mufu_tanh>;
    case ir::Modifier::FunctionRcp64h: return unary<mufu_rcp64h>;
    case ir::Modifier::FunctionRsq64h: return unary<mufu_rsq64h>;
    default: return nullptr;
  }
}

/// The first number in the high half.
template <typename Format>
HWY_INLINE U32 pack(U32 a, U32 b) { return Format::from(widened(a)) << 16 | Format::from(widened(b)); }

template <>
inline LaneFunction select<ir::Opcode::F2fpF16>(const ir::Instruction&) { return each_lane<pack<Half>>; }

template <>
inline LaneFunction select<ir::Opcode::F2fpF16Short>(const ir::Instruction&) { return each_lane<pack<Half>>; }

template <>
inline LaneFunction select<ir::Opcode::F2fpBf16Short>(const ir::Instruction&) { return each_lane<pack<Bfloat>>; }

template <>
inline LaneFunction select<ir::Opcode::F2fpBf16>(const ir::Instruction&) { return each_lane<pack<Bfloat>>; }

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_FLOAT_INL_H_
