// Conversions between kinds of numbers, as one lane does them.
#if defined(HEDDLE_SEMANTICS_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_CONVERT_INL_H_
#undef HEDDLE_SEMANTICS_CONVERT_INL_H_
#else
#define HEDDLE_SEMANTICS_CONVERT_INL_H_
#endif

#include <limits>
#include <type_traits>

#include "isa/exec/semantics_rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

// -- to float ------------------------------------------------------------------------------------------------------

template <Round kRound, typename Integer>
HWY_INLINE float float_of(Integer value) {
  if constexpr (kRound == Round::Nearest) {
    return static_cast<float>(value);
  } else if constexpr (sizeof(Integer) < sizeof(U64)) {
    return narrowed<kRound>(static_cast<double>(value));
  } else {
    const auto low = static_cast<U32>(value);
    const auto high = static_cast<double>(value - static_cast<Integer>(low));  // exact: a multiple of 2^32
    return narrowed<kRound>(add_to_odd(high, static_cast<double>(low)));
  }
}

/// The register's lowest bits, as many as the type has.
template <Round kRound, typename Integer>
HWY_INLINE U32 i2f(U32 a) {
  return std::bit_cast<U32>(float_of<kRound>(static_cast<Integer>(a)));
}

template <Round kRound, typename Integer>
HWY_INLINE U32 i2f_wide(U64 a) {
  return std::bit_cast<U32>(float_of<kRound>(static_cast<Integer>(a)));
}

template <typename Integer>
HWY_INLINE U64 i2d(U32 a) {
  return std::bit_cast<U64>(static_cast<double>(static_cast<Integer>(a)));
}

template <typename Format, typename Integer>
HWY_INLINE U32 narrow_of_integer(U32 a) {
  return Format::from(static_cast<double>(static_cast<Integer>(a)));
}

template <typename Integer>
HWY_INLINE U64 i2d_wide(U64 a) {
  return std::bit_cast<U64>(static_cast<double>(static_cast<Integer>(a)));
}

// -- to integer ----------------------------------------------------------------------------------------------------

HWY_INLINE double round_to_nearest(double value) { return __builtin_nearbyint(value); }
HWY_INLINE double round_to_zero(double value) { return __builtin_trunc(value); }
HWY_INLINE double round_down(double value) { return __builtin_floor(value); }
HWY_INLINE double round_up_to_integer(double value) { return __builtin_ceil(value); }

/// Out of range saturates. NaN becomes 0 or, where either side has 64 bits, the highest bit alone (PTX, cvt).
template <typename Integer, double (*kRound)(double), bool kWide>
HWY_INLINE std::make_unsigned_t<Integer> integer_of(double number) {
  using Word = std::make_unsigned_t<Integer>;
  constexpr auto kLeast = static_cast<double>(std::numeric_limits<Integer>::min());
  constexpr auto kMost = static_cast<double>(std::numeric_limits<Integer>::max());  // or one more: 2^63, 2^64
  constexpr Word kNan = kWide ? Word{1} << (std::numeric_limits<Word>::digits - 1) : 0;
  const double value = kRound(number);
  if (!(value > kLeast)) return value != value ? kNan : static_cast<Word>(std::numeric_limits<Integer>::min());
  if (value >= kMost) return static_cast<Word>(std::numeric_limits<Integer>::max());
  return static_cast<Word>(static_cast<Integer>(value));
}

template <typename Integer, double (*kRound)(double)>
HWY_INLINE std::make_unsigned_t<Integer> f2i(U32 a) {
  return integer_of<Integer, kRound, sizeof(Integer) == sizeof(U64)>(widened(a));
}

template <typename Integer, double (*kRound)(double)>
HWY_INLINE std::make_unsigned_t<Integer> h2i(U32 a) {
  return integer_of<Integer, kRound, false>(Half::value(a & 0xffff));
}

template <typename Integer, double (*kRound)(double)>
HWY_INLINE std::make_unsigned_t<Integer> d2i(U64 a) {
  return integer_of<Integer, kRound, true>(as_double(a));
}

/// The rows of F2I differ in types; their rounding is chosen here.
template <template <double (*)(double)> typename Conversion>
LaneFunction by_rounding(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::Rounding)) {
    case ir::Modifier::RoundingTrunc: return Conversion<round_to_zero>::get();
    case ir::Modifier::RoundingFloor: return Conversion<round_down>::get();
    case ir::Modifier::RoundingCeil: return Conversion<round_up_to_integer>::get();
    default: return Conversion<round_to_nearest>::get();
  }
}

/// F2I of a float to `Integer`, by its rounding.
template <typename Integer>
struct FromFloat {
  /// The function for one rounding, as by_rounding asks for it.
  template <double (*kRound)(double)>
  struct Rounded {
    static LaneFunction get() { return each_lane<f2i<Integer, kRound>>; }
  };
};

/// F2I of a half to `Integer`, by its rounding.
template <typename Integer>
struct FromHalf {
  /// The function for one rounding, as by_rounding asks for it.
  template <double (*kRound)(double)>
  struct Rounded {
    static LaneFunction get() { return each_lane<h2i<Integer, kRound>>; }
  };
};

/// F2I of a double to `Integer`, by its rounding.
template <typename Integer>
struct FromDouble {
  /// The function for one rounding, as by_rounding asks for it.
  template <double (*kRound)(double)>
  struct Rounded {
    static LaneFunction get() { return each_lane<d2i<Integer, kRound>>; }
  };
};

// -- between floats ------------------------------------------------------------------------------------------------

// NaN keeps its sign and what there is room for of its fraction, but .FTZ makes it the NaN of floats first.
inline constexpr U64 kDoubleSign = U64{1} << 63;

template <bool kFlush>
HWY_INLINE U64 double_from_float(U32 a) {
  const double value = widened(kFlush ? flush(a) : a);
  const U32 nan = kFlush ? kFloatNan : a;
  return as_result(value, U64{nan & kFloatSign} << 32 | 0x7ff8000000000000 | U64{nan & 0x7fffff} << 29);
}

template <Round kRound, bool kFlush>
HWY_INLINE U32 float_from_double(U64 a) {
  if (is_double_nan(a)) return static_cast<U32>(a >> 32 & kFloatSign) | 0x7fc00000 | (static_cast<U32>(a >> 29) & 0x7fffff);
  const U32 result = as_result(narrowed<kRound>(as_double(a)));
  return kFlush ? flush_tiny<kRound>(result, as_double(a)) : result;
}

HWY_INLINE U32 float_from_half(U32 a) { return as_result(static_cast<float>(Half::value(a & 0xffff))); }

HWY_INLINE U64 double_from_half(U32 a) {
  return as_result(Half::value(a & 0xffff), U64{a & Half::kSign} << 48 | 0x7ff8000000000000 | U64{a & 0x3ff} << 42);
}

template <typename Format>
HWY_INLINE U32 narrow_from_float(U32 a) { return Format::from(widened(a)); }

/// The next number of 16 bits away from zero, or towards it. Beside zero that is the least one, of the same sign.
template <typename Format, Round kRound>
HWY_INLINE U32 narrow_directed(double exact) {
  const U32 nearest = Format::from(exact);
  const double value = Format::value(nearest);
  const bool is_farther = std::fabs(value) > std::fabs(exact);
  const bool is_nearer = std::fabs(value) < std::fabs(exact);
  const bool goes_out = kRound != Round::Zero && (exact < 0) == (kRound == Round::Down);
  if (goes_out) return is_nearer ? nearest + 1 : nearest;
  return is_farther ? nearest - 1 : nearest;
}

template <typename Format, Round kRound>
HWY_INLINE U32 narrow_from_float_directed(U32 a) { return narrow_directed<Format, kRound>(widened(a)); }

template <Round kRound>
HWY_INLINE U32 half_from_double(U64 a) {
  if (is_double_nan(a)) return static_cast<U32>(a >> 48 & Half::kSign) | 0x7e00 | (static_cast<U32>(a >> 42) & 0x3ff);
  return kRound == Round::Nearest ? Half::from(as_double(a)) : narrow_directed<Half, kRound>(as_double(a));
}

// FRND: to a whole number that stays a float.
template <double (*kRound)(double), bool kFlush>
HWY_INLINE U32 frnd(U32 a) { return as_result(static_cast<float>(kRound(widened(kFlush ? flush(a) : a)))); }

template <double (*kRound)(double)>
HWY_INLINE U64 frnd_double(U64 a) { return as_result(kRound(as_double(a)), a); }

template <double (*kRound)(double)>
HWY_INLINE U32 frnd_half(U32 a) {
  return Half::from(kRound(Half::value(a & 0xffff)));
}

/// FRND of a float.
template <double (*kRound)(double)>
struct Plain {
  static LaneFunction get() { return each_lane<frnd<kRound, false>>; }
};
/// FRND.FTZ of a float: denormals become 0 first.
template <double (*kRound)(double)>
struct Flushing {
  static LaneFunction get() { return each_lane<frnd<kRound, true>>; }
};
/// FRND of a double.
template <double (*kRound)(double)>
struct OfDoubles {
  static LaneFunction get() { return each_lane<frnd_double<kRound>>; }
};

/// FRND of a half.
template <double (*kRound)(double)>
struct OfHalves {
  static LaneFunction get() { return each_lane<frnd_half<kRound>>; }
};

// -- rows ----------------------------------------------------------------------------------------------------------

template <Round kRound>
LaneFunction select_i2f(ir::Modifier type) {
  switch (type) {
    case ir::Modifier::SourceIntegerU32: return each_lane<i2f<kRound, std::uint32_t>>;
    case ir::Modifier::SourceIntegerS16: return each_lane<i2f<kRound, std::int16_t>>;
    case ir::Modifier::SourceIntegerU16: return each_lane<i2f<kRound, std::uint16_t>>;
    case ir::Modifier::SourceIntegerS8: return each_lane<i2f<kRound, std::int8_t>>;
    case ir::Modifier::SourceIntegerU8: return each_lane<i2f<kRound, std::uint8_t>>;
    default: return each_lane<i2f<kRound, std::int32_t>>;
  }
}

inline LaneFunction select_i2f(const ir::Instruction& instruction, ir::Modifier type) {
  switch (instruction.modifiers.get(ir::ModifierGroup::FloatRounding)) {
    case ir::Modifier::FloatRoundingDown: return select_i2f<Round::Down>(type);
    case ir::Modifier::FloatRoundingUp: return select_i2f<Round::Up>(type);
    case ir::Modifier::FloatRoundingZero: return select_i2f<Round::Zero>(type);
    default: return select_i2f<Round::Nearest>(type);
  }
}

template <>
inline LaneFunction select<ir::Opcode::I2f>(const ir::Instruction& instruction) {
  return select_i2f(instruction, instruction.modifiers.get(ir::ModifierGroup::SourceInteger));
}

template <>
inline LaneFunction select<ir::Opcode::I2fpS32>(const ir::Instruction& instruction) {
  return select_i2f(instruction, ir::Modifier::SourceIntegerS32);
}

template <>
inline LaneFunction select<ir::Opcode::I2fpU32>(const ir::Instruction& instruction) {
  return select_i2f(instruction, ir::Modifier::SourceIntegerU32);
}

template <typename Integer>
LaneFunction select_i2f_wide(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::FloatRounding)) {
    case ir::Modifier::FloatRoundingDown: return each_lane<i2f_wide<Round::Down, Integer>>;
    case ir::Modifier::FloatRoundingUp: return each_lane<i2f_wide<Round::Up, Integer>>;
    case ir::Modifier::FloatRoundingZero: return each_lane<i2f_wide<Round::Zero, Integer>>;
    default: return each_lane<i2f_wide<Round::Nearest, Integer>>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::I2fS64>(const ir::Instruction& instruction) {
  return select_i2f_wide<std::int64_t>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::I2fU64>(const ir::Instruction& instruction) {
  return select_i2f_wide<std::uint64_t>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::I2fF64>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::SourceInteger)) {
    case ir::Modifier::SourceIntegerU32: return each_lane<i2d<std::uint32_t>>;
    case ir::Modifier::SourceIntegerS16: return each_lane<i2d<std::int16_t>>;
    case ir::Modifier::SourceIntegerU16: return each_lane<i2d<std::uint16_t>>;
    case ir::Modifier::SourceIntegerS8: return each_lane<i2d<std::int8_t>>;
    case ir::Modifier::SourceIntegerU8: return each_lane<i2d<std::uint8_t>>;
    default: return each_lane<i2d<std::int32_t>>;
  }
}

template <typename Format>
LaneFunction select_narrow_of_integer(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::SourceInteger)) {
    case ir::Modifier::SourceIntegerU32:
      return each_lane<narrow_of_integer<Format, std::uint32_t>>;
    case ir::Modifier::SourceIntegerS16:
      return each_lane<narrow_of_integer<Format, std::int16_t>>;
    case ir::Modifier::SourceIntegerU16:
      return each_lane<narrow_of_integer<Format, std::uint16_t>>;
    case ir::Modifier::SourceIntegerS8:
      return each_lane<narrow_of_integer<Format, std::int8_t>>;
    case ir::Modifier::SourceIntegerU8:
      return each_lane<narrow_of_integer<Format, std::uint8_t>>;
    default:
      return each_lane<narrow_of_integer<Format, std::int32_t>>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::I2fF16>(const ir::Instruction& instruction) {
  return select_narrow_of_integer<Half>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::I2fBf16>(const ir::Instruction& instruction) {
  return select_narrow_of_integer<Bfloat>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::I2fF64S64>(const ir::Instruction&) { return each_lane<i2d_wide<std::int64_t>>; }

template <>
inline LaneFunction select<ir::Opcode::I2fF64U64>(const ir::Instruction&) { return each_lane<i2d_wide<std::uint64_t>>; }

/// F2I.FTZ to a signed integer. A denormal rounds to 0 or 1 by its own value, so .FTZ must flush it first.
template <double (*kRound)(double)>
struct FlushedSigned {
  static HWY_INLINE U32 convert(U32 a) { return f2i<std::int32_t, kRound>(flush(a)); }
  static LaneFunction get() { return each_lane<convert>; }
};
/// F2I.FTZ to an unsigned integer.
template <double (*kRound)(double)>
struct FlushedUnsigned {
  static HWY_INLINE U32 convert(U32 a) { return f2i<std::uint32_t, kRound>(flush(a)); }
  static LaneFunction get() { return each_lane<convert>; }
};

template <>
inline LaneFunction select<ir::Opcode::F2i>(const ir::Instruction& instruction) {
  const bool is_unsigned = instruction.modifiers.has(ir::Modifier::IntTypeU32);
  if (instruction.modifiers.has(ir::Modifier::FlushFtz)) {
    return is_unsigned ? by_rounding<FlushedUnsigned>(instruction) : by_rounding<FlushedSigned>(instruction);
  }
  return is_unsigned ? by_rounding<FromFloat<std::uint32_t>::Rounded>(instruction)
                     : by_rounding<FromFloat<std::int32_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iF16>(const ir::Instruction& instruction) {
  return by_rounding<FromHalf<std::int32_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iU32F16>(const ir::Instruction& instruction) {
  return by_rounding<FromHalf<std::uint32_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iS64>(const ir::Instruction& instruction) {
  return by_rounding<FromFloat<std::int64_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iU64>(const ir::Instruction& instruction) {
  return by_rounding<FromFloat<std::uint64_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iF64>(const ir::Instruction& instruction) {
  return by_rounding<FromDouble<std::int32_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iU32F64>(const ir::Instruction& instruction) {
  return by_rounding<FromDouble<std::uint32_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iS64F64>(const ir::Instruction& instruction) {
  return by_rounding<FromDouble<std::int64_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2iU64F64>(const ir::Instruction& instruction) {
  return by_rounding<FromDouble<std::uint64_t>::Rounded>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2fF64F32>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::FlushFtz) ? each_lane<double_from_float<true>>
                                                           : each_lane<double_from_float<false>>;
}

template <bool kFlush>
LaneFunction select_float_from_double(ir::Modifier rounding) {
  switch (rounding) {
    case ir::Modifier::FloatRoundingDown: return each_lane<float_from_double<Round::Down, kFlush>>;
    case ir::Modifier::FloatRoundingUp: return each_lane<float_from_double<Round::Up, kFlush>>;
    case ir::Modifier::FloatRoundingZero: return each_lane<float_from_double<Round::Zero, kFlush>>;
    default: return each_lane<float_from_double<Round::Nearest, kFlush>>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::F2fF32F64>(const ir::Instruction& instruction) {
  const ir::Modifier rounding = instruction.modifiers.get(ir::ModifierGroup::FloatRounding);
  return instruction.modifiers.has(ir::Modifier::FlushFtz) ? select_float_from_double<true>(rounding)
                                                           : select_float_from_double<false>(rounding);
}

template <typename Format>
LaneFunction select_narrow_from_float(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::FloatRounding)) {
    case ir::Modifier::FloatRoundingDown: return each_lane<narrow_from_float_directed<Format, Round::Down>>;
    case ir::Modifier::FloatRoundingUp: return each_lane<narrow_from_float_directed<Format, Round::Up>>;
    case ir::Modifier::FloatRoundingZero: return each_lane<narrow_from_float_directed<Format, Round::Zero>>;
    default: return each_lane<narrow_from_float<Format>>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::F2fF16F32>(const ir::Instruction& instruction) {
  return select_narrow_from_float<Half>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2fBf16F32>(const ir::Instruction& instruction) {
  return select_narrow_from_float<Bfloat>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::F2fF32F16>(const ir::Instruction&) { return each_lane<float_from_half>; }

template <>
inline LaneFunction select<ir::Opcode::F2fF16F64>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::FloatRounding)) {
    case ir::Modifier::FloatRoundingDown: return each_lane<half_from_double<Round::Down>>;
    case ir::Modifier::FloatRoundingUp: return each_lane<half_from_double<Round::Up>>;
    case ir::Modifier::FloatRoundingZero: return each_lane<half_from_double<Round::Zero>>;
    default: return each_lane<half_from_double<Round::Nearest>>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::F2fF64F16>(const ir::Instruction&) {
  return each_lane<double_from_half>;
}

template <>
inline LaneFunction select<ir::Opcode::Frnd>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::FlushFtz) ? by_rounding<Flushing>(instruction)
                                                           : by_rounding<Plain>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::FrndF16>(const ir::Instruction& instruction) {
  return by_rounding<OfHalves>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::FrndF64>(const ir::Instruction& instruction) {
  return by_rounding<OfDoubles>(instruction);
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_CONVERT_INL_H_
