// Integers looked at bit by bit or byte by byte, narrowed, and the lesser and greater of two.
#if defined(HEDDLE_SEMANTICS_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_BITS_INL_H_
#undef HEDDLE_SEMANTICS_BITS_INL_H_
#else
#define HEDDLE_SEMANTICS_BITS_INL_H_
#endif

#include <limits>

#include "isa/exec/semantics_carry-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

HWY_INLINE U32 min_signed(U32 a, U32 b) { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b; }
HWY_INLINE U32 max_signed(U32 a, U32 b) { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? b : a; }
HWY_INLINE U32 min_unsigned(U32 a, U32 b) { return a < b ? a : b; }
HWY_INLINE U32 max_unsigned(U32 a, U32 b) { return a < b ? b : a; }

HWY_INLINE U32 iabs(U32 a) { return a >> 31 != 0 ? 0U - a : a; }

HWY_INLINE U32 popc(U32 a) { return bit_count(a); }

HWY_INLINE U32 brev(U32 a) {
  a = (a >> 1 & 0x55555555U) | (a & 0x55555555U) << 1;
  a = (a >> 2 & 0x33333333U) | (a & 0x33333333U) << 2;
  a = (a >> 4 & 0x0f0f0f0fU) | (a & 0x0f0f0f0fU) << 4;
  a = (a >> 8 & 0x00ff00ffU) | (a & 0x00ff00ffU) << 8;
  return a >> 16 | a << 16;
}

/// FLO: the place of the highest bit set, or with kShift how far it is from the top; all ones if there is none. For a
/// signed number it is the highest bit that differs from the sign.
template <bool kSigned, bool kShift>
HWY_INLINE U32 flo(U32 a) {
  if (kSigned && a >> 31 != 0) a = ~a;
  a |= a >> 1;
  a |= a >> 2;
  a |= a >> 4;
  a |= a >> 8;
  a |= a >> 16;
  const U32 place = bit_count(a) - 1;
  return kShift && a != 0 ? 31 - place : place;
}

/// Each nibble of the selector b names one of the eight bytes of c:a; its highest bit asks for that byte's sign.
HWY_INLINE U32 prmt(U32 a, U32 b, U32 c) {
  const U64 bytes = U64{c} << 32 | a;
  U32 result = 0;
  for (U32 place = 0; place < 32; place += 8) {
    const U32 nibble = b >> (place / 2) & 15;
    U32 byte = static_cast<U32>(bytes >> (8 * (nibble & 7))) & 0xff;
    if ((nibble & 8) != 0) byte = byte >> 7 != 0 ? 0xff : 0;
    result |= byte << place;
  }
  return result;
}

/// All bits from `place` on; shifts of 32 and more leave none.
HWY_INLINE U32 ones_from(U32 place) { return place > 31 ? 0 : ~U32{0} << place; }

/// A mask of b bits from bit a on. The numbers are taken modulo 32, or with kClamp as they are.
template <bool kClamp>
HWY_INLINE U32 bmsk(U32 a, U32 b) {
  if (!kClamp) return ones_from(a & 31) & ~ones_from((a & 31) + (b & 31));
  return ones_from(a) & ~(b > 31 ? 0 : ones_from((a & 31) + b));
}

/// The lowest b bits of a, with the highest of them as sign, or zeros, above.
template <bool kSigned, bool kClamp>
HWY_INLINE U32 sgxt(U32 a, U32 b) {
  if (!kClamp) b &= 31;
  if (b == 0) return 0;
  const U32 above = ones_from(b);
  const bool negative = kSigned && (a >> ((b - 1) & 31) & 1) != 0 && b < 32;
  return negative ? a | above : a & ~above;
}

template <typename Integer>
HWY_INLINE U32 byte_of(U32 word, unsigned place) {
  return static_cast<U32>(static_cast<Integer>(word >> place & 0xff));
}

/// The products of four bytes, added to c.
template <typename A, typename B>
HWY_INLINE U32 idp_4a(U32 a, U32 b, U32 c) {
  for (unsigned place = 0; place < 32; place += 8) c += byte_of<A>(a, place) * byte_of<B>(b, place);
  return c;
}

/// The products of both halves of a and two bytes of b, from that place on, added to c.
template <typename A, typename B, unsigned kPlace>
HWY_INLINE U32 idp_2a(U32 a, U32 b, U32 c) {
  const auto half = [a](unsigned place) { return static_cast<U32>(static_cast<A>(a >> place & 0xffff)); };
  return c + half(0) * byte_of<B>(b, kPlace) + half(16) * byte_of<B>(b, kPlace + 8);
}

template <typename A, typename B>
LaneFunction select_idp_2a(const ir::Modifiers& modifiers) {
  return modifiers.has(ir::Modifier::DotBytesUpper) ? ternary<idp_2a<A, B, 16>> : ternary<idp_2a<A, B, 0>>;
}

template <typename A>
LaneFunction select_idp_2a_of(const ir::Modifiers& modifiers) {
  return modifiers.has(ir::Modifier::DotByteU8) ? select_idp_2a<A, std::uint8_t>(modifiers)
                                                : select_idp_2a<A, std::int8_t>(modifiers);
}

HWY_INLINE U32 imad_hi_signed(U32 a, U32 b, U64 c) {
  const auto product = std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b);
  return static_cast<U32>((static_cast<U64>(product) + c) >> 32);
}
HWY_INLINE U32 imad_hi_unsigned(U32 a, U32 b, U64 c) { return static_cast<U32>((U64{a} * b + c) >> 32); }

template <>
inline LaneFunction select<ir::Opcode::ImadHi>(const ir::Instruction& instruction) {
  if (!ir::is_true_predicate(instruction.operands[1].index)) return select_imad_carry<true>(instruction);
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? each_lane<imad_hi_unsigned>
                                                             : each_lane<imad_hi_signed>;
}

template <>
inline LaneFunction select<ir::Opcode::Imnmx>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? one_of_two<min_unsigned, max_unsigned>
                                                             : one_of_two<min_signed, max_signed>;
}

template <>
inline LaneFunction select<ir::Opcode::Vimnmx>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Imnmx>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Vimnmx3>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? one_of_three<min_unsigned, max_unsigned>
                                                             : one_of_three<min_signed, max_signed>;
}

/// The lesser or the greater of both halves.
template <typename Integer, bool kLess>
HWY_INLINE U32 extreme_of_halves(U32 a, U32 b) {
  const auto of = [](U32 x, U32 y) { return (static_cast<Integer>(x) < static_cast<Integer>(y)) == kLess ? x : y; };
  return (of(a >> 16, b >> 16) & 0xffff) << 16 | (of(a, b) & 0xffff);
}

template <>
inline LaneFunction select<ir::Opcode::VimnmxS16>(const ir::Instruction&) {
  return one_of_two<extreme_of_halves<std::int16_t, true>, extreme_of_halves<std::int16_t, false>>;
}

template <>
inline LaneFunction select<ir::Opcode::VimnmxU16>(const ir::Instruction&) {
  return one_of_two<extreme_of_halves<std::uint16_t, true>, extreme_of_halves<std::uint16_t, false>>;
}

template <>
inline LaneFunction select<ir::Opcode::Vimnmx3S16>(const ir::Instruction&) {
  return one_of_three<extreme_of_halves<std::int16_t, true>, extreme_of_halves<std::int16_t, false>>;
}

template <>
inline LaneFunction select<ir::Opcode::Vimnmx3U16>(const ir::Instruction&) {
  return one_of_three<extreme_of_halves<std::uint16_t, true>, extreme_of_halves<std::uint16_t, false>>;
}

/// The lesser of a + b and c where the predicate holds, else the greater.
template <U32 (*Lesser)(U32, U32), U32 (*Greater)(U32, U32)>
LaneMask one_of_sum_and_third(const LaneArgs& args) {
  for (unsigned i = 0; i < args.lanes; ++i) {
    const U32 sum = args.a[i] + args.b[i];
    args.out[i] = lane_bit(args.predicate, i) != 0 ? Lesser(sum, args.c[i]) : Greater(sum, args.c[i]);
  }
  return 0;
}

template <>
inline LaneFunction select<ir::Opcode::Viaddmnmx>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? one_of_sum_and_third<min_unsigned, max_unsigned>
                                                             : one_of_sum_and_third<min_signed, max_signed>;
}

HWY_INLINE U32 absdiff_signed(U32 a, U32 b, U32 c) { return max_signed(a, b) - min_signed(a, b) + c; }
HWY_INLINE U32 absdiff_unsigned(U32 a, U32 b, U32 c) { return max_unsigned(a, b) - min_unsigned(a, b) + c; }

template <>
inline LaneFunction select<ir::Opcode::Vabsdiff>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::IntTypeU32) ? ternary<absdiff_unsigned> : ternary<absdiff_signed>;
}

/// How far the bytes at that place lie apart.
HWY_INLINE U32 byte_distance(U32 a, U32 b, U32 place) {
  return absdiff_unsigned(byte_of<std::uint8_t>(a, place), byte_of<std::uint8_t>(b, place), 0);
}

HWY_INLINE U32 vabsdiff4(U32 a, U32 b, U32) {
  U32 result = 0;
  for (U32 place = 0; place < 32; place += 8) result |= byte_distance(a, b, place) << place;
  return result;
}

HWY_INLINE U32 vabsdiff4_sum(U32 a, U32 b, U32 c) {
  for (U32 place = 0; place < 32; place += 8) c += byte_distance(a, b, place);
  return c;
}

template <>
inline LaneFunction select<ir::Opcode::Vabsdiff4>(const ir::Instruction&) { return ternary<vabsdiff4>; }

template <>
inline LaneFunction select<ir::Opcode::Vabsdiff4Acc>(const ir::Instruction&) { return ternary<vabsdiff4_sum>; }

template <>
inline LaneFunction select<ir::Opcode::Iabs>(const ir::Instruction&) { return unary<iabs>; }

template <>
inline LaneFunction select<ir::Opcode::Popc>(const ir::Instruction&) { return unary<popc>; }

template <>
inline LaneFunction select<ir::Opcode::Brev>(const ir::Instruction&) { return unary<brev>; }

template <>
inline LaneFunction select<ir::Opcode::Flo>(const ir::Instruction& instruction) {
  const bool shift = instruction.modifiers.has(ir::Modifier::FindFormShift);
  if (instruction.modifiers.has(ir::Modifier::IntTypeU32)) return shift ? unary<flo<false, true>> : unary<flo<false, false>>;
  return shift ? unary<flo<true, true>> : unary<flo<true, false>>;
}

/// PRMT's modes: the nibbles that stand for the selector's lowest two bits, for 3 first.
template <U64 kSelectors>
HWY_INLINE U32 prmt_mode(U32 a, U32 b, U32 c) {
  return prmt(a, static_cast<U32>(kSelectors >> (16 * (b & 3)) & 0xffff), c);
}

template <>
inline LaneFunction select<ir::Opcode::Prmt>(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::PermuteMode)) {
    case ir::Modifier::PermuteModeF4e: return ternary<prmt_mode<0x6543'5432'4321'3210>>;
    case ir::Modifier::PermuteModeB4e: return ternary<prmt_mode<0x0123'7012'6701'5670>>;
    case ir::Modifier::PermuteModeRc8: return ternary<prmt_mode<0x3333'2222'1111'0000>>;
    case ir::Modifier::PermuteModeEcl: return ternary<prmt_mode<0x3333'3222'3211'3210>>;
    case ir::Modifier::PermuteModeEcr: return ternary<prmt_mode<0x3210'2210'1110'0000>>;
    case ir::Modifier::PermuteModeRc16: return ternary<prmt_mode<0x3232'1010'3232'1010>>;
    default: return ternary<prmt>;
  }
}

template <>
inline LaneFunction select<ir::Opcode::Bmsk>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::FieldWrap) ? binary<bmsk<false>> : binary<bmsk<true>>;
}

template <>
inline LaneFunction select<ir::Opcode::Sgxt>(const ir::Instruction& instruction) {
  const bool wrap = instruction.modifiers.has(ir::Modifier::FieldWrap);
  if (instruction.modifiers.has(ir::Modifier::IntTypeU32)) return wrap ? binary<sgxt<false, false>> : binary<sgxt<false, true>>;
  return wrap ? binary<sgxt<true, false>> : binary<sgxt<true, true>>;
}

template <>
inline LaneFunction select<ir::Opcode::Idp2a>(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::DotWordU16) ? select_idp_2a_of<std::uint16_t>(instruction.modifiers)
                                                             : select_idp_2a_of<std::int16_t>(instruction.modifiers);
}

template <>
inline LaneFunction select<ir::Opcode::Idp4aS8S8>(const ir::Instruction&) {
  return ternary<idp_4a<std::int8_t, std::int8_t>>;
}

template <>
inline LaneFunction select<ir::Opcode::Idp4aS8U8>(const ir::Instruction&) {
  return ternary<idp_4a<std::int8_t, std::uint8_t>>;
}

template <>
inline LaneFunction select<ir::Opcode::Idp4aU8S8>(const ir::Instruction&) {
  return ternary<idp_4a<std::uint8_t, std::int8_t>>;
}

template <>
inline LaneFunction select<ir::Opcode::Idp4aU8U8>(const ir::Instruction&) {
  return ternary<idp_4a<std::uint8_t, std::uint8_t>>;
}

/// Saturating; signed ones are extended to the whole register (measured on compute capability 12.0: GitHub,
/// cicuvc/nvidia-sass-document).
template <typename Narrow>
HWY_INLINE U32 i2i(U32 a) {
  constexpr std::int32_t kLeast = std::numeric_limits<Narrow>::min();
  constexpr std::int32_t kMost = std::numeric_limits<Narrow>::max();
  const auto value = static_cast<std::int32_t>(a);
  return static_cast<U32>(value < kLeast ? kLeast : value > kMost ? kMost : value);
}

template <>
inline LaneFunction select<ir::Opcode::I2iU8>(const ir::Instruction&) { return unary<i2i<std::uint8_t>>; }

template <>
inline LaneFunction select<ir::Opcode::I2iS8>(const ir::Instruction&) { return unary<i2i<std::int8_t>>; }

template <>
inline LaneFunction select<ir::Opcode::I2iU16>(const ir::Instruction&) { return unary<i2i<std::uint16_t>>; }

template <>
inline LaneFunction select<ir::Opcode::I2iS16>(const ir::Instruction&) { return unary<i2i<std::int16_t>>; }

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_BITS_INL_H_
