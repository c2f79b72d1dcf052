// Double-precision arithmetic and comparison, as one lane does them.
#if defined(HEDDLE_SEMANTICS_DOUBLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_DOUBLE_INL_H_
#undef HEDDLE_SEMANTICS_DOUBLE_INL_H_
#else
#define HEDDLE_SEMANTICS_DOUBLE_INL_H_
#endif

#include "isa/exec/semantics_rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

HWY_INLINE U64 dadd(U64 a, U64 b) { return as_result(as_double(a) + as_double(b)); }
HWY_INLINE U64 dmul(U64 a, U64 b) { return as_result(as_double(a) * as_double(b)); }
HWY_INLINE U64 dfma(U64 a, U64 b, U64 c) {
  return as_result(__builtin_fma(as_double(a), as_double(b), as_double(c)));
}

// Relations of doubles, all but one false for NaN.
struct DoubleLess {
  HWY_INLINE bool operator()(double a, double b) const { return a < b; }
};
struct DoubleEqual {
  HWY_INLINE bool operator()(double a, double b) const { return a == b; }
};
struct DoubleLessOrEqual {
  HWY_INLINE bool operator()(double a, double b) const { return a <= b; }
};
struct DoubleGreater {
  HWY_INLINE bool operator()(double a, double b) const { return a > b; }
};
struct DoubleGreaterOrEqual {
  HWY_INLINE bool operator()(double a, double b) const { return a >= b; }
};
struct DoubleLessOrGreater {
  HWY_INLINE bool operator()(double a, double b) const { return a < b || a > b; }
};
struct DoubleOrdered {
  HWY_INLINE bool operator()(double a, double b) const { return a == a && b == b; }
};

template <typename Relation>
LaneMask compare_doubles(const LaneArgs& args) {
  LaneMask result = 0;
  for (unsigned i = 0; i < args.lanes; ++i) {
    const double a = as_double(lane_value<U64>(args.a, i, args.lanes));
    const double b = as_double(lane_value<U64>(args.b, i, args.lanes));
    result |= LaneMask{Relation()(a, b)} << i;
  }
  return result;
}

/// The comparison that holds for NaN, too: it is the opposite of the opposite ordered one.
template <typename Opposite>
LaneMask unordered_doubles(const LaneArgs& args) {
  return first_lanes(args.lanes) & ~compare_doubles<Opposite>(args);
}

template <>
inline LaneFunction select<ir::Opcode::Dadd>(const ir::Instruction&) { return each_lane<dadd>; }

template <>
inline LaneFunction select<ir::Opcode::Dmul>(const ir::Instruction&) { return each_lane<dmul>; }

template <>
inline LaneFunction select<ir::Opcode::Dfma>(const ir::Instruction&) { return each_lane<dfma>; }

template <>
inline LaneFunction select<ir::Opcode::Dsetp>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::Compare)) {
    case ir::Modifier::CompareLt: return compare_doubles<DoubleLess>;
    case ir::Modifier::CompareEq: return compare_doubles<DoubleEqual>;
    case ir::Modifier::CompareLe: return compare_doubles<DoubleLessOrEqual>;
    case ir::Modifier::CompareGt: return compare_doubles<DoubleGreater>;
    case ir::Modifier::CompareNe: return compare_doubles<DoubleLessOrGreater>;
    case ir::Modifier::CompareGe: return compare_doubles<DoubleGreaterOrEqual>;
    case ir::Modifier::CompareLtu: return unordered_doubles<DoubleGreaterOrEqual>;
    case ir::Modifier::CompareEqu: return unordered_doubles<DoubleLessOrGreater>;
    case ir::Modifier::CompareLeu: return unordered_doubles<DoubleGreater>;
    case ir::Modifier::CompareGtu: return unordered_doubles<DoubleLessOrEqual>;
    case ir::Modifier::CompareNeu: return unordered_doubles<DoubleEqual>;
    case ir::Modifier::CompareGeu: return unordered_doubles<DoubleLess>;
    case ir::Modifier::CompareNum: return compare_doubles<DoubleOrdered>;
    case ir::Modifier::CompareNan: return unordered_doubles<DoubleOrdered>;
    default: return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_DOUBLE_INL_H_
