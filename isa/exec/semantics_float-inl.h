// Single-precision arithmetic, comparison and conversion, as one lane does them.
#if defined(HEDDLE_SEMANTICS_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_FLOAT_INL_H_
#undef HEDDLE_SEMANTICS_FLOAT_INL_H_
#else
#define HEDDLE_SEMANTICS_FLOAT_INL_H_
#endif

#include <cmath>
#include <limits>

#include "isa/exec/semantics_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

HWY_INLINE float as_float(U32 bits) { return std::bit_cast<float>(bits); }

/// NVIDIA GPUs have one NaN as a result. That also makes results independent of the host's NaN rules.
HWY_INLINE U32 as_result(float value) {
  const U32 is_nan = value != value ? ~U32{0} : 0;
  return (std::bit_cast<U32>(value) | is_nan) & ~(is_nan & 0x80000000U);
}

HWY_INLINE U32 fadd(U32 a, U32 b) { return as_result(as_float(a) + as_float(b)); }
HWY_INLINE U32 fmul(U32 a, U32 b) { return as_result(as_float(a) * as_float(b)); }
HWY_INLINE U32 ffma(U32 a, U32 b, U32 c) {
  return as_result(__builtin_fmaf(as_float(a), as_float(b), as_float(c)));
}

// MUFU approximates in hardware, to within the errors of the CUDA programming guide; here each function is
// the double-precision result rounded once. Sine and cosine take their argument in turns, as the hardware does.
HWY_INLINE U32 mufu_rcp(U32 a) { return as_result(1.0F / as_float(a)); }
HWY_INLINE U32 mufu_rsq(U32 a) {
  return as_result(static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(as_float(a)))));
}
HWY_INLINE U32 mufu_sqrt(U32 a) { return as_result(__builtin_sqrtf(as_float(a))); }
HWY_INLINE U32 mufu_ex2(U32 a) { return as_result(static_cast<float>(std::exp2(static_cast<double>(as_float(a))))); }
HWY_INLINE U32 mufu_lg2(U32 a) { return as_result(static_cast<float>(std::log2(static_cast<double>(as_float(a))))); }

inline constexpr double kRadiansPerTurn = 6.283185307179586476925;

HWY_INLINE U32 mufu_sin(U32 a) {
  return as_result(static_cast<float>(std::sin(static_cast<double>(as_float(a)) * kRadiansPerTurn)));
}
HWY_INLINE U32 mufu_cos(U32 a) {
  return as_result(static_cast<float>(std::cos(static_cast<double>(as_float(a)) * kRadiansPerTurn)));
}

// A comparison with U holds for NaN too: it is the opposite of the opposite ordered comparison.
template <typename Opposite>
LaneMask unordered(const LaneArgs& args) {
  return opposite_of<float, Opposite>(args);
}

struct Ordered {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::And(hn::Eq(a, a), hn::Eq(b, b)); }
};

/// NE is ordered (false for NaN), unlike the host's !=.
struct LessOrGreater {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::Or(hn::Lt(a, b), hn::Gt(a, b)); }
};

HWY_INLINE U32 i2f_signed(U32 a) { return std::bit_cast<U32>(static_cast<float>(static_cast<std::int32_t>(a))); }
HWY_INLINE U32 i2f_unsigned(U32 a) { return std::bit_cast<U32>(static_cast<float>(a)); }

HWY_INLINE double round_to_nearest(double value) { return __builtin_nearbyint(value); }
HWY_INLINE double round_to_zero(double value) { return __builtin_trunc(value); }
HWY_INLINE double round_down(double value) { return __builtin_floor(value); }
HWY_INLINE double round_up_to_integer(double value) { return __builtin_ceil(value); }

/// Out of range saturates; NaN becomes 0. Doubles hold every float and every 32-bit integer exactly.
template <typename Integer, double (*kRound)(double)>
HWY_INLINE U32 f2i(U32 a) {
  constexpr double kLeast = std::numeric_limits<Integer>::min();
  constexpr double kMost = std::numeric_limits<Integer>::max();
  const double value = kRound(static_cast<double>(as_float(a)));
  if (!(value > kLeast)) return value != value ? 0 : static_cast<U32>(std::numeric_limits<Integer>::min());
  if (value >= kMost) return static_cast<U32>(std::numeric_limits<Integer>::max());
  return static_cast<U32>(static_cast<Integer>(value));
}

template <typename Integer>
LaneFunction select_f2i(ir::Modifier rounding) {
  switch (rounding) {
    case ir::Modifier::RoundingTrunc: return unary<f2i<Integer, round_to_zero>>;
    case ir::Modifier::RoundingFloor: return unary<f2i<Integer, round_down>>;
    case ir::Modifier::RoundingCeil: return unary<f2i<Integer, round_up_to_integer>>;
    default: return unary<f2i<Integer, round_to_nearest>>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::Fadd>(const ir::Instruction&) { return binary<fadd>; }

template <>
inline LaneFunction select<ir::Opcode::Fmul>(const ir::Instruction&) { return binary<fmul>; }

template <>
inline LaneFunction select<ir::Opcode::Ffma>(const ir::Instruction&) { return ternary<ffma>; }

template <>
inline LaneFunction select<ir::Opcode::Fsel>(const ir::Instruction&) { return pick; }

template <>
inline LaneFunction select<ir::Opcode::Fsetp>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::Compare)) {
    case ir::Modifier::CompareLt: return compare_rows<float, Less>;
    case ir::Modifier::CompareEq: return compare_rows<float, Equal>;
    case ir::Modifier::CompareLe: return compare_rows<float, LessOrEqual>;
    case ir::Modifier::CompareGt: return compare_rows<float, Greater>;
    case ir::Modifier::CompareNe: return compare_rows<float, LessOrGreater>;
    case ir::Modifier::CompareGe: return compare_rows<float, GreaterOrEqual>;
    case ir::Modifier::CompareLtu: return unordered<GreaterOrEqual>;
    case ir::Modifier::CompareEqu: return unordered<LessOrGreater>;
    case ir::Modifier::CompareLeu: return unordered<Greater>;
    case ir::Modifier::CompareGtu: return unordered<LessOrEqual>;
    case ir::Modifier::CompareNeu: return unordered<Equal>;
    case ir::Modifier::CompareGeu: return unordered<Less>;
    case ir::Modifier::CompareNum: return compare_rows<float, Ordered>;
    case ir::Modifier::CompareNan: return unordered<Ordered>;
    default: return nullptr;
  }
}

template <>
inline LaneFunction select<ir::Opcode::Mufu>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::Function)) {
    case ir::Modifier::FunctionRcp: return unary<mufu_rcp>;
    case ir::Modifier::FunctionRsq: return unary<mufu_rsq>;
    case ir::Modifier::FunctionSqrt: return unary<mufu_sqrt>;
    case ir::Modifier::FunctionEx2: return unary<mufu_ex2>;
    case ir::Modifier::FunctionLg2: return unary<mufu_lg2>;
    case ir::Modifier::FunctionSin: return unary<mufu_sin>;
    case ir::Modifier::FunctionCos: return unary<mufu_cos>;
    default: return nullptr;
  }
}

template <>
inline LaneFunction select<ir::Opcode::I2f>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? unary<i2f_unsigned> : unary<i2f_signed>;
}

template <>
inline LaneFunction select<ir::Opcode::F2i>(const ir::Instruction& instruction) {
  const ir::Modifier rounding = instruction.modifiers.get(ir::ModifierGroup::Rounding);
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? select_f2i<std::uint32_t>(rounding)
                                                             : select_f2i<std::int32_t>(rounding);
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_FLOAT_INL_H_
