// How results are rounded, and how denormals, NaNs and values out of range are treated.
#if defined(HEDDLE_SEMANTICS_ROUNDING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_ROUNDING_INL_H_
#undef HEDDLE_SEMANTICS_ROUNDING_INL_H_
#else
#define HEDDLE_SEMANTICS_ROUNDING_INL_H_
#endif

#include <cmath>

#include "isa/base/narrow_float.h"
#include "isa/exec/result_nan.h"
#include "isa/exec/semantics_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

/// How a result that has no exact float is rounded: .RN, .RM, .RP, .RZ.
enum class Round { Nearest, Down, Up, Zero };

inline constexpr U32 kFloatSign = 0x80000000U;
inline constexpr U32 kLeastNormal = 0x00800000U;

HWY_INLINE float as_float(U32 bits) { return std::bit_cast<float>(bits); }
HWY_INLINE double as_double(U64 bits) { return std::bit_cast<double>(bits); }
HWY_INLINE double widened(U32 bits) { return static_cast<double>(as_float(bits)); }

/// NVIDIA GPUs have one NaN as a result. That also makes results independent of the host's NaN rules.
HWY_INLINE U32 as_result(float value) {
  const U32 is_nan = value != value ? ~U32{0} : 0;
  return (std::bit_cast<U32>(value) | is_nan) & ~(is_nan & kFloatSign);
}

HWY_INLINE U64 as_result(double value) { return value != value ? kDoubleNan : std::bit_cast<U64>(value); }

/// A double that was made of others, the last of which that is NaN it is then. That the second operand of DADD comes
/// before the first was measured; of DMUL and DFMA no figures are known.
template <typename... Sources>
HWY_INLINE U64 as_result(double value, Sources... sources) {
  U64 nan = kDoubleNan;
  ((nan = is_double_nan(sources) ? sources | kQuietDouble : nan), ...);
  return value != value ? nan : std::bit_cast<U64>(value);
}

/// .FTZ: denormals become zero, their sign stays.
HWY_INLINE U32 flush(U32 bits) {
  const U32 is_denormal = (bits & ~kFloatSign) < kLeastNormal ? ~U32{0} : 0;
  return bits & ~(is_denormal & ~kFloatSign);
}

/// .SAT: from 0 to 1; NaN becomes 0.
HWY_INLINE U32 saturate(U32 bits) {
  const float value = as_float(bits);
  if (!(value > 0.0F)) return 0;
  return value > 1.0F ? std::bit_cast<U32>(1.0F) : bits;
}

/// a + b, cut off after 53 bits, the last of which is set if anything was cut: rounding that to fewer bits is rounding
/// the exact sum (Boldo and Melquiond). The sum must be far from the ends of a double's range.
HWY_INLINE double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);  // exact: Knuth's two-sum; NaN beside infinities
  const U64 bits = std::bit_cast<U64>(sum);
  if (!(error < 0 || error > 0) || (bits & 1) != 0) return sum;
  const bool is_farther = (error > 0) == (sum > 0);
  return as_double(is_farther ? bits + 1 : bits - 1);
}

/// The next float towards plus or minus infinity.
HWY_INLINE float next_float(float value, bool upwards) {
  const U32 bits = std::bit_cast<U32>(value);
  if ((bits & ~kFloatSign) == 0) return as_float(upwards ? 1 : kFloatSign | 1);
  return as_float((bits & kFloatSign) == 0 ? (upwards ? bits + 1 : bits - 1) : (upwards ? bits - 1 : bits + 1));
}

template <Round kRound>
HWY_INLINE float narrowed(double exact) {
  const auto nearest = static_cast<float>(exact);
  const auto value = static_cast<double>(nearest);
  switch (kRound) {
    case Round::Down: return value > exact ? next_float(nearest, false) : nearest;
    case Round::Up: return value < exact ? next_float(nearest, true) : nearest;
    case Round::Zero: return std::fabs(value) > std::fabs(exact) ? next_float(nearest, exact < 0) : nearest;
    default: return nearest;
  }
}

/// The sum of two numbers that are floats, or exact products of floats, rounded to float once. A sum of zero out of
/// opposite numbers is negative only where sums are rounded down.
template <Round kRound>
HWY_INLINE float narrowed_sum(double a, double b) {
  const double sum = add_to_odd(a, b);
  if (kRound == Round::Down && sum == 0) return std::signbit(a) || std::signbit(b) ? -0.0F : 0.0F;
  return narrowed<kRound>(sum);
}

/// .FTZ of a result: zero if the exact one, rounded to 24 bits with an exponent of any size, lies below the least normal
/// number. 2^-126 (1 - 2^-24) is zero, though as a denormal number it would round to 2^-126. Measured on an H200.
template <Round kRound>
HWY_INLINE U32 flush_tiny(U32 result, double exact) {
  constexpr double kLeast = 0x1p-126;
  constexpr double kBelow = kLeast * (1 - 0x1p-24);   // the next number of 24 bits
  constexpr double kMiddle = kLeast * (1 - 0x1p-25);  // rounds to even: up
  const double size = std::fabs(exact);
  const bool goes_out = kRound == Round::Up ? exact > 0 : kRound == Round::Down && exact < 0;
  const bool is_tiny = kRound == Round::Nearest ? size < kMiddle : goes_out ? size <= kBelow : size < kLeast;
  return is_tiny ? result & kFloatSign : result;
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_ROUNDING_INL_H_
