// Double-precision arithmetic and comparison, as one lane does them.
#if defined(HEDDLE_SEMANTICS_DOUBLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_DOUBLE_INL_H_
#undef HEDDLE_SEMANTICS_DOUBLE_INL_H_
#else
#define HEDDLE_SEMANTICS_DOUBLE_INL_H_
#endif

#include <cfenv>

#include "isa/exec/semantics_rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

HWY_INLINE U64 dadd(U64 a, U64 b) { return as_result(as_double(a) + as_double(b), a, b); }
HWY_INLINE U64 dmul(U64 a, U64 b) { return as_result(as_double(a) * as_double(b), a, b); }
HWY_INLINE U64 dfma(U64 a, U64 b, U64 c) {
  return as_result(__builtin_fma(as_double(a), as_double(b), as_double(c)), a, b, c);
}

// The relations of doubles. Each is false if an operand is NaN.

/// DSETP.LT
struct DoubleLess {
  HWY_INLINE bool operator()(double a, double b) const { return a < b; }
};
/// DSETP.EQ
struct DoubleEqual {
  HWY_INLINE bool operator()(double a, double b) const { return a == b; }
};
/// DSETP.LE
struct DoubleLessOrEqual {
  HWY_INLINE bool operator()(double a, double b) const { return a <= b; }
};
/// DSETP.GT
struct DoubleGreater {
  HWY_INLINE bool operator()(double a, double b) const { return a > b; }
};
/// DSETP.GE
struct DoubleGreaterOrEqual {
  HWY_INLINE bool operator()(double a, double b) const { return a >= b; }
};
/// DSETP.NE, which is false for NaN, unlike the host's !=.
struct DoubleLessOrGreater {
  HWY_INLINE bool operator()(double a, double b) const { return a < b || a > b; }
};
/// DSETP.NUM: neither operand is NaN.
struct DoubleOrdered {
  HWY_INLINE bool operator()(double a, double b) const { return a == a && b == b; }
};

/// The relations of doubles by the names that select_comparison asks for.
struct DoubleRelations {
  using IsLess = DoubleLess;
  using IsEqual = DoubleEqual;
  using IsLessOrEqual = DoubleLessOrEqual;
  using IsGreater = DoubleGreater;
  using IsLessOrGreater = DoubleLessOrGreater;
  using IsGreaterOrEqual = DoubleGreaterOrEqual;
  using IsOrdered = DoubleOrdered;
};

template <typename Relation, bool kOpposite>
LaneMask compare_doubles(const LaneArgs& args) {
  LaneMask result = 0;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const double a = as_double(lane_value<U64>(args.a, i, args.lanes));
    const double b = as_double(lane_value<U64>(args.b, i, args.lanes));
    result |= LaneMask{Relation()(a, b)} << i;
  }
  return kOpposite ? first_lanes(args.lanes) & ~result : result;
}

/// DSETP's function for a relation, as select_comparison asks for it.
struct DoubleComparison {
  template <typename Relation, bool kOpposite>
  static constexpr LaneFunction function() {
    return compare_doubles<Relation, kOpposite>;
  }
};

/// Computes in another direction than to nearest, which is the host's when it comes here. Operands are loaded and
/// results stored between the two calls, of which the compiler must think that they touch memory.
template <auto kFunction, int kDirection>
LaneMask in_direction(const LaneArgs& args) {
  std::fesetround(kDirection);
  EachLane<kFunction>::run(args);
  std::fesetround(FE_TONEAREST);
  return 0;
}

template <auto kFunction>
LaneFunction select_direction(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::FloatRounding)) {
    case ir::Modifier::FloatRoundingDown: return in_direction<kFunction, FE_DOWNWARD>;
    case ir::Modifier::FloatRoundingUp: return in_direction<kFunction, FE_UPWARD>;
    case ir::Modifier::FloatRoundingZero: return in_direction<kFunction, FE_TOWARDZERO>;
    default: return each_lane<kFunction>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::Dadd>(const ir::Instruction& instruction) {
  return select_direction<dadd>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Dmul>(const ir::Instruction& instruction) {
  return select_direction<dmul>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Dfma>(const ir::Instruction& instruction) {
  return select_direction<dfma>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Dsetp>(const ir::Instruction& instruction) {
  const ir::Modifier compare = instruction.modifiers.get(ir::ModifierGroup::Compare);
  return select_comparison<DoubleRelations, DoubleComparison>(compare);
}

/// Whether a is the lesser of two (or the greater one), -0 being below +0, or the only number. What compilers make of
/// fmin and fmax says so: a is taken where the first predicate holds, and NaN where the second one does.
template <bool kLess>
LaneMask takes_first_double(const LaneArgs& args) {
  LaneMask takes_a = 0;
  LaneMask both_nan = 0;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const double a = as_double(lane_value<U64>(args.a, i, args.lanes));
    const double b = as_double(lane_value<U64>(args.b, i, args.lanes));
    const bool a_is_nan = a != a;
    const bool b_is_nan = b != b;
    const bool is_below = a < b || (a == b && __builtin_signbit(a) > __builtin_signbit(b));
    takes_a |= LaneMask{!a_is_nan && (b_is_nan || is_below == kLess)} << i;
    both_nan |= LaneMask{a_is_nan && b_is_nan} << i;
  }
  *args.second = both_nan;
  return takes_a;
}

template <>
inline LaneFunction select<ir::Opcode::DsetpMin>(const ir::Instruction&) { return takes_first_double<true>; }

template <>
inline LaneFunction select<ir::Opcode::DsetpMax>(const ir::Instruction&) { return takes_first_double<false>; }

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_DOUBLE_INL_H_
