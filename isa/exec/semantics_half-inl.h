// Arithmetic on two 16-bit floats in a register, as one lane does it.
#if defined(HEDDLE_SEMANTICS_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_HALF_INL_H_
#undef HEDDLE_SEMANTICS_HALF_INL_H_
#else
#define HEDDLE_SEMANTICS_HALF_INL_H_
#endif

#include "isa/exec/semantics_rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

// Sums and products of 16-bit floats are exact in double, but for sums of a product: those are rounded to odd first.

template <typename Format, typename Function>
HWY_INLINE U32 in_both_halves(U32 a, U32 b, U32 c, Function function) {
  const U32 low = Format::from(function(Format::value(a & 0xffff), Format::value(b & 0xffff), Format::value(c & 0xffff)));
  const U32 high = Format::from(function(Format::value(a >> 16), Format::value(b >> 16), Format::value(c >> 16)));
  return high << 16 | low;
}

template <typename Format>
HWY_INLINE U32 hadd2(U32 a, U32 b) {
  return in_both_halves<Format>(a, b, 0, [](double x, double y, double) { return add_to_odd(x, y); });
}

template <typename Format>
HWY_INLINE U32 hmul2(U32 a, U32 b) {
  return in_both_halves<Format>(a, b, 0, [](double x, double y, double) { return x * y; });
}

template <typename Format>
HWY_INLINE U32 hfma2(U32 a, U32 b, U32 c) {
  return in_both_halves<Format>(a, b, c, [](double x, double y, double z) { return add_to_odd(x * y, z); });
}

template <>
inline LaneFunction select<ir::Opcode::Hadd2>(const ir::Instruction&) { return each_lane<hadd2<Half>>; }

template <>
inline LaneFunction select<ir::Opcode::Hmul2>(const ir::Instruction&) { return each_lane<hmul2<Half>>; }

template <>
inline LaneFunction select<ir::Opcode::Hfma2>(const ir::Instruction&) { return each_lane<hfma2<Half>>; }

template <>
inline LaneFunction select<ir::Opcode::Hadd2Bf16>(const ir::Instruction&) { return each_lane<hadd2<Bfloat>>; }

template <>
inline LaneFunction select<ir::Opcode::Hmul2Bf16>(const ir::Instruction&) { return each_lane<hmul2<Bfloat>>; }

template <>
inline LaneFunction select<ir::Opcode::Hfma2Bf16>(const ir::Instruction&) { return each_lane<hfma2<Bfloat>>; }

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_HALF_INL_H_
