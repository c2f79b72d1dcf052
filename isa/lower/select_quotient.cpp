// Quotients and remainders of up to 32 bits, and approximate quotients of floats. Those of 64-bit integers
// and correctly rounded ones are in the library (library.h).
#include <bit>

#include "isa/lower/floats.h"
#include "isa/lower/magic_division.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

void add(Selection& s, const Operand& sum, const Operand& a, const Operand& b) {
  s.emit(Opcode::Iadd3, {sum, always(), always(), a, b, zero()});
}

Operand compare(Selection& s, const Operand& a, ir::Modifier how, const Operand& b, ir::Modifier type) {
  const Operand holds = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Isetp, {holds, always(), a, b, always(), never()}, {how, type, ir::Modifier::BoolAnd});
  return holds;
}

/// A quotient and its remainder.
struct Quotient {
  Operand quotient;
  Operand remainder;
};

/// 2^32 / b, somewhat less, and then by one step of Newton's method as near as 32 bits allow.
Operand reciprocal_of(Selection& s, const Operand& b) {
  const Operand as_float = fresh(s);
  const Operand inverse = fresh(s);
  const Operand lowered = fresh(s);
  const Operand pair = fresh_pair(s);
  const Operand first = reg(pair.index + 1);
  const Operand error = fresh(s);
  const Operand better = fresh(s);
  s.emit(Opcode::I2f, {as_float, b}, {ir::Modifier::SourceIntegerU32, ir::Modifier::FloatRoundingUp});
  s.emit(Opcode::Mufu, {inverse, as_float}, {ir::Modifier::FunctionRcp});
  add(s, lowered, inverse, number(0x0ffffffe));
  s.emit(Opcode::Mov, {pair, zero()});
  s.emit(Opcode::F2i, {first, lowered},
         {ir::Modifier::FlushFtz, ir::Modifier::IntTypeU32, ir::Modifier::RoundingTrunc,
          ir::Modifier::NanToZeroNtz});
  s.emit(Opcode::Imad, {error, first, negative(b), zero()});
  s.emit(Opcode::ImadHi, {better, always(), first, error, pair}, {ir::Modifier::IntTypeU32});
  return better;
}

/// Where b is zero all bits are ones.
Quotient divide_unsigned(Selection& s, const ptx::Instruction& i, const Operand& a, const Operand& b,
                         bool wants_quotient) {
  const Operand inverse = reciprocal_of(s, b);
  const Quotient made{fresh(s), fresh(s)};
  s.emit(Opcode::ImadHi, {made.quotient, always(), inverse, a, zero()}, {ir::Modifier::IntTypeU32});
  s.emit(Opcode::Imad, {made.remainder, made.quotient, negative(b), a});
  for (unsigned step = 0; step < 2; ++step) {
    const Operand is_left = compare(s, made.remainder, ir::Modifier::CompareGe, b, ir::Modifier::IntTypeU32);
    const bool is_last = step == 1;
    emit_where(s, i, is_left, [&] {
      if (!wants_quotient || !is_last) add(s, made.remainder, made.remainder, negative(b));
      if (wants_quotient) add(s, made.quotient, made.quotient, number(1));
    });
  }
  return made;
}

void ones_where_zero(Selection& s, const ptx::Instruction& i, const Operand& value, const Operand& b) {
  const Operand is_zero = compare(s, b, ir::Modifier::CompareEq, zero(), ir::Modifier::IntTypeU32);
  emit_where(s, i, is_zero, [&] { s.emit(Opcode::Mov, {value, number(0xffffffffU)}); });
}

Operand in_register_of(Selection& s, const ptx::Operand& operand, Modifier type) {
  return s.builder.in_register(s.extended(operand, bits_of(type), is_signed(type)));
}

Operand absolute(Selection& s, const Operand& value) {
  const Operand made = fresh(s);
  s.emit(Opcode::Iabs, {made, value});
  return made;
}

/// The value, negated where the sign of `of` is set.
void negate_where(Selection& s, const ptx::Instruction& i, const Operand& value, const Operand& of) {
  const Operand is_negative = compare(s, of, ir::Modifier::CompareLt, zero(), ir::Modifier::IntTypeS32);
  emit_where(s, i, is_negative, [&] { add(s, value, negative(value), zero()); });
}

void divide(Selection& s, const ptx::Instruction& i) {
  const Modifier type = i.type();
  const bool wants_quotient = i.opcode == ptx::Opcode::Div;
  const Operand a = in_register_of(s, i.operands[1], type);
  const Operand b = in_register_of(s, i.operands[2], type);
  const Operand result = s.result(i.operands[0]);
  const bool has_signs = is_signed(type);
  const Quotient made =
      divide_unsigned(s, i, has_signs ? absolute(s, a) : a, has_signs ? absolute(s, b) : b, wants_quotient);
  const Operand value = wants_quotient ? made.quotient : made.remainder;
  if (has_signs && wants_quotient) {
    const Operand signs = fresh(s);
    emit_logic(s, signs, a, b, zero(), 0x3c);
    negate_where(s, i, value, signs);
  } else if (has_signs) {
    negate_where(s, i, value, a);
  }
  ones_where_zero(s, i, value, b);
  s.emit(Opcode::Mov, {result, value});
}

/// a / b of 16 bits by way of floats, which hold the quotient with bits to spare: the reciprocal is made a
/// little too great, by more than its error and that of the product, and by less than 1 / (a b).
void divide_narrow(Selection& s, const ptx::Instruction& i) {
  constexpr std::uint32_t kSomewhatMoreThanOne = 0x3f800004;
  const Operand a = in_register_of(s, i.operands[1], Modifier::U16);
  const Operand b = in_register_of(s, i.operands[2], Modifier::U16);
  const Operand of_a = fresh(s);
  const Operand of_b = fresh(s);
  const Operand quotient = fresh(s);
  s.emit(Opcode::I2f, {of_b, b}, {ir::Modifier::SourceIntegerU16});
  s.emit(Opcode::I2f, {of_a, a}, {ir::Modifier::SourceIntegerU16});
  s.emit(Opcode::Mufu, {of_b, of_b}, {ir::Modifier::FunctionRcp});
  s.emit(Opcode::Fmul, {of_b, of_b, number(kSomewhatMoreThanOne)});
  s.emit(Opcode::Fmul, {of_a, of_a, of_b});
  s.emit(Opcode::F2i, {quotient, of_a}, {ir::Modifier::IntTypeU32, ir::Modifier::RoundingTrunc});
  Operand value = quotient;
  if (i.opcode == ptx::Opcode::Rem) {
    value = fresh(s);
    s.emit(Opcode::Imad, {value, quotient, negative(b), a});
  }
  ones_where_zero(s, i, value, b);
  s.emit(Opcode::Mov, {s.result(i.operands[0]), value});
}

void shift_right(Selection& s, const Operand& to, const Operand& value, unsigned by, bool has_sign) {
  s.emit(Opcode::Shf, {to, zero(), number(by), value},
         {ir::Modifier::ShiftDirectionRight,
          has_sign ? ir::Modifier::ShiftTypeS32 : ir::Modifier::ShiftTypeU32, ir::Modifier::HalfHigh});
}

/// a / b, b being a number of which an inverse is known.
Operand divide_unsigned_by(Selection& s, const Operand& a, std::uint32_t b) {
  const Operand quotient = fresh(s);
  if (std::has_single_bit(b)) {
    shift_right(s, quotient, a, static_cast<unsigned>(std::countr_zero(b)), false);
    return quotient;
  }
  const MagicUnsigned magic = magic_unsigned(b);
  const Operand high = fresh(s);
  s.emit(Opcode::ImadHi, {high, always(), a, number(magic.factor), zero()}, {ir::Modifier::IntTypeU32});
  if (!magic.adds) {
    shift_right(s, quotient, high, magic.shift, false);
    return quotient;
  }
  // The factor has 33 bits: ((a - high) / 2 + high) >> (shift - 1)
  const Operand half = fresh(s);
  add(s, half, a, negative(high));
  shift_right(s, half, half, 1, false);
  add(s, half, half, high);
  shift_right(s, quotient, half, magic.shift - 1, false);
  return quotient;
}

Operand divide_signed_by(Selection& s, const Operand& a, std::int32_t b) {
  const MagicSigned magic = magic_signed(b);
  const Operand high = fresh(s);
  const Operand quotient = fresh(s);
  s.emit(Opcode::ImadHi, {high, always(), a, number(static_cast<std::uint32_t>(magic.factor)), zero()});
  if (b > 0 && magic.factor < 0) add(s, high, high, a);
  if (b < 0 && magic.factor > 0) add(s, high, high, negative(a));
  shift_right(s, quotient, high, magic.shift, true);
  const Operand sign = fresh(s);
  shift_right(s, sign, quotient, 31, false);
  add(s, quotient, quotient, sign);
  return quotient;
}

bool divide_by_number(Selection& s, const ptx::Instruction& i) {
  const Modifier type = i.type();
  const auto bits = number_of(i.operands[2], bits_of(type));
  if (!bits || bits_of(type) > 32) return false;
  const bool has_sign = is_signed(type);
  auto divisor = static_cast<std::int32_t>(*bits);
  if (has_sign && bits_of(type) == 16) divisor = static_cast<std::int16_t>(*bits);
  if (divisor == 0 || (has_sign && divisor >= -1 && divisor <= 1)) return false;
  const Operand a = in_register_of(s, i.operands[1], type);
  const Operand quotient = has_sign ? divide_signed_by(s, a, divisor)
                                    : divide_unsigned_by(s, a, static_cast<std::uint32_t>(*bits));
  const Operand result = s.result(i.operands[0]);
  if (i.opcode == ptx::Opcode::Div) {
    s.emit(Opcode::Mov, {result, quotient});
  } else {
    s.emit(Opcode::Imad, {result, quotient, number(0U - static_cast<std::uint32_t>(divisor)), a});
  }
  return true;
}

/// a and b times 2^24 where b is a denormal number, and times 1/4 where it is beyond 2^126.
void scale_both(Selection& s, const ptx::Instruction& i, const Operand& a, const Operand& b, bool has_flush) {
  constexpr std::uint32_t kTwoTo126 = 0x7e800000;
  constexpr std::uint32_t kQuarter = 0x3e800000;
  constexpr std::uint32_t kLeastNormal = 0x00800000;
  constexpr std::uint32_t kTwoTo24 = 0x4b800000;
  const auto scale = [&](const Operand& where, std::uint32_t factor) {
    emit_where(s, i, where, [&] {
      s.emit(Opcode::Fmul, {a, a, number(factor)});
      s.emit(Opcode::Fmul, {b, b, number(factor)});
    });
  };
  const Operand is_great = compare_magnitude(s, b, ir::Modifier::CompareGt, kTwoTo126);
  if (has_flush) return scale(is_great, kQuarter);
  const Operand is_small = compare_magnitude(s, b, ir::Modifier::CompareLt, kLeastNormal);
  scale(is_great, kQuarter);
  scale(is_small, kTwoTo24);
}

}  // namespace

void select_float_quotient(Selection& s, const ptx::Instruction& i) {
  if (i.type() != Modifier::F32 || (!i.has(Modifier::Approx) && !i.has(Modifier::Full))) Selection::refuse(i);
  const Operand from_a = float_source(s, i, i.operands[1], Modifier::F32);
  const Operand from_b = s.builder.in_register(float_source(s, i, i.operands[2], Modifier::F32));
  const Operand inverse = fresh(s);
  const Operand result = s.result(i.operands[0]);
  if (i.has(Modifier::Approx) && i.has(Modifier::Ftz)) {
    s.emit(Opcode::Mufu, {inverse, from_b}, {ir::Modifier::FunctionRcp});
    s.emit(Opcode::Fmul, {result, inverse, from_a}, {ir::Modifier::FlushFtz});
    return;
  }
  const Operand a = fresh(s);
  const Operand b = fresh(s);
  // A copy by addition, for the sign that the source may have; it flushes what .ftz flushes.
  s.emit(Opcode::Fadd, {a, s.builder.in_register(from_a), minus_zero()}, {flush(i)});
  s.emit(Opcode::Fadd, {b, from_b, minus_zero()}, {flush(i)});
  scale_both(s, i, a, b, i.has(Modifier::Ftz));
  s.emit(Opcode::Mufu, {inverse, b}, {ir::Modifier::FunctionRcp});
  s.emit(Opcode::Fmul, {result, inverse, a}, {flush(i)});
}

void select_division_check(Selection& s, const ptx::Instruction& i) {
  const Operand a = s.builder.in_register(s.source(i.operands[1]));
  s.emit(Opcode::Fchk, {s.predicate_result(i.operands[0]), a, s.source(i.operands[2])});
}

void select_div(Selection& s, const ptx::Instruction& i) {
  const Modifier type = i.type();
  if (is_float(type)) return select_float_quotient(s, i);
  if (bits_of(type) > 32) Selection::refuse(i);
  if (divide_by_number(s, i)) return;
  if (type == Modifier::U16) return divide_narrow(s, i);
  divide(s, i);
}

}  // namespace heddle::lower
