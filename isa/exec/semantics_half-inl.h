// Arithmetic on two 16-bit floats in a register, as one lane does it.
#if defined(HEDDLE_SEMANTICS_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_HALF_INL_H_
#undef HEDDLE_SEMANTICS_HALF_INL_H_
#else
#define HEDDLE_SEMANTICS_HALF_INL_H_
#endif

#include "isa/exec/semantics_double-inl.h"
#include "isa/exec/semantics_float-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

// Sums and products of 16-bit floats are exact in double, but for sums of a product: those are rounded to odd first.

/// What .FTZ and .SAT do to one number: denormals become zero, on the way in and out; results go from 0 to 1.
template <typename FormatOf, bool kFlush, bool kSaturate>
struct HalfMode {
  using Format = FormatOf;

  static HWY_INLINE U32 flushed(U32 bits) {
    constexpr U32 kLeast = 1U << Format::kFractionBits;
    return kFlush && (bits & 0x7fff) < kLeast ? bits & Format::kSign : bits;
  }
  static HWY_INLINE double in(U32 bits) { return Format::value(flushed(bits & 0xffff)); }
  static HWY_INLINE U32 out(double value) {
    if (kSaturate) value = value > 0 ? (value > 1 ? 1.0 : value) : 0.0;
    return flushed(Format::from(value));
  }
};

template <typename Mode, typename Function>
HWY_INLINE U32 in_both_halves(U32 a, U32 b, U32 c, Function function) {
  const U32 low = Mode::out(function(Mode::in(a), Mode::in(b), Mode::in(c)));
  const U32 high = Mode::out(function(Mode::in(a >> 16), Mode::in(b >> 16), Mode::in(c >> 16)));
  return high << 16 | low;
}

template <typename Mode>
HWY_INLINE U32 hadd2(U32 a, U32 b) {
  return in_both_halves<Mode>(a, b, 0, [](double x, double y, double) { return add_to_odd(x, y); });
}

template <typename Mode>
HWY_INLINE U32 hmul2(U32 a, U32 b) {
  return in_both_halves<Mode>(a, b, 0, [](double x, double y, double) { return x * y; });
}

template <typename Mode>
HWY_INLINE U32 hfma2(U32 a, U32 b, U32 c) {
  return in_both_halves<Mode>(a, b, c, [](double x, double y, double z) { return add_to_odd(x * y, z); });
}

/// Sums of halves are exact as floats.
HWY_INLINE U32 hadd2_f32(U32 a, U32 b) { return as_result(static_cast<float>(Half::value(a) + Half::value(b))); }

template <typename Operation>
LaneFunction select_half_mode(const ir::Instruction& instruction, Operation operation) {
  const bool flushes = instruction.modifiers.has(ir::Modifier::FlushFtz);
  if (instruction.modifiers.has(ir::Modifier::SaturateSat)) {
    return flushes ? operation(HalfMode<Half, true, true>()) : operation(HalfMode<Half, false, true>());
  }
  return flushes ? operation(HalfMode<Half, true, false>()) : operation(HalfMode<Half, false, false>());
}

/// The lanes whose halves, the low or the high ones, are so.
template <typename Relation, typename Mode>
LaneMask compare_halves(const LaneArgs& args, unsigned shift) {
  LaneMask result = 0;
  for (unsigned i = 0; i < args.lanes; ++i) {
    result |= LaneMask{Relation()(Mode::in(args.a[i] >> shift), Mode::in(args.b[i] >> shift))} << i;
  }
  return result;
}

/// The second predicate gets the high halves.
template <typename Relation, bool kOpposite, typename Mode>
LaneMask compare_both_halves(const LaneArgs& args) {
  const LaneMask flip = kOpposite ? first_lanes(args.lanes) : 0;
  *args.second = compare_halves<Relation, Mode>(args, 16) ^ flip;
  return compare_halves<Relation, Mode>(args, 0) ^ flip;
}

/// HSETP2's function for a relation, as select_comparison asks for it.
template <typename Mode>
struct HalfComparison {
  template <typename Relation, bool kOpposite>
  static constexpr LaneFunction function() {
    return compare_both_halves<Relation, kOpposite, Mode>;
  }
};

template <typename Mode>
LaneFunction select_half_compare(ir::Modifier compare) {
  return select_comparison<DoubleRelations, HalfComparison<Mode>>(compare);
}

template <>
inline LaneFunction select<ir::Opcode::Hsetp2>(const ir::Instruction& instruction) {
  const ir::Modifier compare = instruction.modifiers.get(ir::ModifierGroup::Compare);
  return instruction.modifiers.has(ir::Modifier::FlushFtz) ? select_half_compare<HalfMode<Half, true, false>>(compare)
                                                           : select_half_compare<HalfMode<Half, false, false>>(compare);
}

using BfloatMode = HalfMode<Bfloat, false, false>;

template <>
inline LaneFunction select<ir::Opcode::Hsetp2Bf16>(const ir::Instruction& instruction) {
  return select_half_compare<BfloatMode>(instruction.modifiers.get(ir::ModifierGroup::Compare));
}

/// HSET2.BF: 1 or 0 in each half. HSET2: all bits or none.
template <typename Combine, typename Mode, bool kIsOne>
struct HalfSet {
  template <typename Relation, bool kOpposite>
  static constexpr LaneFunction function() {
    return [](const LaneArgs& args) -> LaneMask {
      LaneArgs compared = args;
      LaneMask high = 0;
      compared.second = &high;
      const LaneMask low = Combine()(compare_both_halves<Relation, kOpposite, Mode>(compared), args.predicate);
      high = Combine()(high, args.predicate);
      const U32 holds = kIsOne ? Mode::Format::from(1.0) : 0xffff;
      for (unsigned i = 0; i < args.lanes; ++i)
        args.out[i] = ((high >> i & 1) != 0 ? holds << 16 : 0) | ((low >> i & 1) != 0 ? holds : 0);
      return 0;
    };
  }
};

template <typename Mode, bool kIsOne>
LaneFunction select_half_set(const ir::Modifiers& modifiers) {
  const ir::Modifier compare = modifiers.get(ir::ModifierGroup::Compare);
  switch (modifiers.get(ir::ModifierGroup::Bool)) {
    case ir::Modifier::BoolAnd: return select_comparison<DoubleRelations, HalfSet<Both, Mode, kIsOne>>(compare);
    case ir::Modifier::BoolOr: return select_comparison<DoubleRelations, HalfSet<Either, Mode, kIsOne>>(compare);
    case ir::Modifier::BoolXor: return select_comparison<DoubleRelations, HalfSet<OneOnly, Mode, kIsOne>>(compare);
    default: return nullptr;
  }
}

template <bool kIsOne>
LaneFunction select_flushing_half_set(const ir::Modifiers& modifiers) {
  return modifiers.has(ir::Modifier::FlushFtz) ? select_half_set<HalfMode<Half, true, false>, kIsOne>(modifiers)
                                               : select_half_set<HalfMode<Half, false, false>, kIsOne>(modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Hset2Bf>(const ir::Instruction& instruction) {
  return select_flushing_half_set<true>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Hset2>(const ir::Instruction& instruction) {
  return select_flushing_half_set<false>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Hset2Bf16Bf>(const ir::Instruction& instruction) {
  return select_half_set<BfloatMode, true>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Hset2Bf16>(const ir::Instruction& instruction) {
  return select_half_set<BfloatMode, false>(instruction.modifiers);
}

/// The lesser or the greater half, -0 below +0. If one operand is NaN, the other one; with kNanWins, a NaN.
template <typename Mode, bool kLess, bool kNanWins>
HWY_INLINE U32 hmnmx(U32 a, U32 b) {
  using Format = typename Mode::Format;
  a = Mode::flushed(a & 0xffff);
  b = Mode::flushed(b & 0xffff);
  const double x = Format::value(a);
  const double y = Format::value(b);
  const bool a_is_nan = x != x;
  const bool b_is_nan = y != y;
  if (a_is_nan || b_is_nan) return kNanWins || a_is_nan == b_is_nan ? 0x7fff : a_is_nan ? b : a;
  const bool a_is_less = x < y || (x == y && (a & Format::kSign) > (b & Format::kSign));
  return a_is_less == kLess ? a : b;
}

template <typename Mode, bool kLess, bool kNanWins>
HWY_INLINE U32 hmnmx2(U32 a, U32 b) {
  return hmnmx<Mode, kLess, kNanWins>(a >> 16, b >> 16) << 16 | hmnmx<Mode, kLess, kNanWins>(a, b);
}

template <typename Mode>
LaneFunction select_hmnmx2(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::NanWinsNan)
             ? one_of_two<hmnmx2<Mode, true, true>, hmnmx2<Mode, false, true>>
             : one_of_two<hmnmx2<Mode, true, false>, hmnmx2<Mode, false, false>>;
}

template <>
inline LaneFunction select<ir::Opcode::Hmnmx2>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::FlushFtz) ? select_hmnmx2<HalfMode<Half, true, false>>(instruction)
                                                           : select_hmnmx2<HalfMode<Half, false, false>>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Hmnmx2Bf16>(const ir::Instruction& instruction) {
  return select_hmnmx2<BfloatMode>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Hadd2>(const ir::Instruction& instruction) {
  return select_half_mode(instruction, [](auto mode) -> LaneFunction { return each_lane<hadd2<decltype(mode)>>; });
}

template <>
inline LaneFunction select<ir::Opcode::Hadd2F32>(const ir::Instruction&) { return each_lane<hadd2_f32>; }

template <>
inline LaneFunction select<ir::Opcode::Hmul2>(const ir::Instruction& instruction) {
  return select_half_mode(instruction, [](auto mode) -> LaneFunction { return each_lane<hmul2<decltype(mode)>>; });
}

template <>
inline LaneFunction select<ir::Opcode::Hfma2>(const ir::Instruction& instruction) {
  return select_half_mode(instruction, [](auto mode) -> LaneFunction { return each_lane<hfma2<decltype(mode)>>; });
}

template <>
inline LaneFunction select<ir::Opcode::Hadd2Bf16>(const ir::Instruction&) { return each_lane<hadd2<BfloatMode>>; }

template <>
inline LaneFunction select<ir::Opcode::Hmul2Bf16>(const ir::Instruction&) { return each_lane<hmul2<BfloatMode>>; }

template <>
inline LaneFunction select<ir::Opcode::Hfma2MmaBf16>(const ir::Instruction&) { return each_lane<hfma2<BfloatMode>>; }

template <>
inline LaneFunction select<ir::Opcode::Hfma2Bf16>(const ir::Instruction&) { return each_lane<hfma2<BfloatMode>>; }

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_HALF_INL_H_
