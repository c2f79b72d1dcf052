// cvt from and to floating point.
#include "isa/lower/convert.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

constexpr std::uint32_t kInfinity = 0x7f800000;

bool rounds_to_integer(const ptx::Instruction& i) {
  return i.has(Modifier::Rni) || i.has(Modifier::Rzi) || i.has(Modifier::Rmi) || i.has(Modifier::Rpi);
}

ir::Modifier integer_rounding(const ptx::Instruction& i) {
  if (i.has(Modifier::Rzi) || i.has(Modifier::Rz)) return ir::Modifier::RoundingTrunc;
  if (i.has(Modifier::Rmi) || i.has(Modifier::Rm)) return ir::Modifier::RoundingFloor;
  return i.has(Modifier::Rpi) || i.has(Modifier::Rp) ? ir::Modifier::RoundingCeil
                                                     : ir::Modifier::RoundingNearest;
}

bool is_directed(const ptx::Instruction& i) {
  return float_rounding(i) != ir::Modifier::FloatRoundingNearest;
}

/// A source of 16 bits in a register, its low half.
Operand half_source(Selection& s, const ptx::Instruction& i) {
  return s.builder.in_register(s.source(i.operands[1]));
}

/// A float as .sat and .ftz leave it.
Operand limited(Selection& s, const ptx::Instruction& i, const Operand& value, bool flushes) {
  const bool saturates = i.has(Modifier::Sat);
  if (!saturates && !flushes) return value;
  const Operand made = fresh(s);
  s.emit(Opcode::Fadd, {made, s.builder.in_register(value), minus_zero()},
         {flushes ? ir::Modifier::FlushFtz : ir::Modifier::FlushNone, saturation(i)});
  return made;
}

void write(Selection& s, const ptx::Instruction& i, const Operand& value) {
  s.emit(Opcode::Mov, {s.result(i.operands[0]), value});
}

// -- to float -----------------------------------------------------------------------------------------------

/// What is cut off after 24 bits, the last of which is set if anything was: rounding that to fewer bits is
/// rounding the exact value. From its roundings down and up and towards zero.
Operand to_odd(Selection& s, const Operand& down, const Operand& up, const Operand& zeroed) {
  const Operand is_inexact = pred(s.builder.fresh_predicate());
  const Operand odd = fresh(s);
  const Operand made = fresh(s);
  s.emit(Opcode::Fsetp, {is_inexact, always(), down, up, always()},
         {ir::Modifier::CompareNe, ir::Modifier::BoolAnd});
  emit_logic(s, odd, zeroed, number(1), zero(), 0xfc);
  s.emit(Opcode::Sel, {made, odd, zeroed, is_inexact});
  return made;
}

template <typename Emit>
Operand to_odd(Selection& s, Emit emit) {
  const Operand down = fresh(s);
  const Operand up = fresh(s);
  const Operand zeroed = fresh(s);
  emit(down, ir::Modifier::FloatRoundingDown);
  emit(up, ir::Modifier::FloatRoundingUp);
  emit(zeroed, ir::Modifier::FloatRoundingZero);
  return to_odd(s, down, up, zeroed);
}

ir::Modifier source_integer(Modifier type) {
  switch (type) {
    case Modifier::U32:
      return ir::Modifier::SourceIntegerU32;
    case Modifier::S16:
      return ir::Modifier::SourceIntegerS16;
    case Modifier::U16:
      return ir::Modifier::SourceIntegerU16;
    case Modifier::S8:
      return ir::Modifier::SourceIntegerS8;
    case Modifier::U8:
      return ir::Modifier::SourceIntegerU8;
    default:
      return ir::Modifier::SourceIntegerS32;
  }
}

void emit_float_of_integer(Selection& s, const ptx::Instruction& i, const Operand& result,
                           ir::Modifier rounding) {
  const Modifier from = i.type(1);
  if (bits_of(from) == 64) {
    s.emit(is_signed(from) ? Opcode::I2fS64 : Opcode::I2fU64,
           {result, s.builder.in_pair(s.words(i.operands[1]))}, {rounding});
    return;
  }
  const bool has_fast_row = bits_of(from) == 32 && s.target.compute_capability >= 86;
  const Operand value = s.source(i.operands[1]);
  if (has_fast_row) {
    s.emit(is_signed(from) ? Opcode::I2fpS32 : Opcode::I2fpU32, {result, value}, {rounding});
  } else {
    s.emit(Opcode::I2f, {result, value}, {source_integer(from), rounding});
  }
}

/// To nearest in one instruction; else the high word times 2^32 and the low one, both exact, added as told.
void double_of_wide(Selection& s, const ptx::Instruction& i, const Operand& result) {
  constexpr std::uint64_t kTwoTo32 = 0x41f0000000000000;
  const bool has_sign = is_signed(i.type(1));
  const Words value = s.words(i.operands[1]);
  if (!is_directed(i)) {
    s.emit(has_sign ? Opcode::I2fF64S64 : Opcode::I2fF64U64, {result, s.builder.in_pair(value)});
    return;
  }
  const Operand high = fresh_pair(s);
  const Operand low = fresh_pair(s);
  s.emit(Opcode::I2fF64, {high, value.high},
         {has_sign ? ir::Modifier::SourceIntegerS32 : ir::Modifier::SourceIntegerU32});
  s.emit(Opcode::I2fF64, {low, value.low}, {ir::Modifier::SourceIntegerU32});
  s.emit(Opcode::Dfma, {result, high, number(kTwoTo32), low}, {float_rounding(i)});
}

void emit_narrow(Selection& s, const Operand& result, const Operand& value, Modifier type,
                 ir::Modifier rounding) {
  if (rounding != ir::Modifier::FloatRoundingNearest) {
    s.emit(is_bfloat(type) ? Opcode::F2fBf16F32 : Opcode::F2fF16F32, {result, value}, {rounding});
    return;
  }
  const bool is_early = s.target.compute_capability <= 86;
  const Opcode to_half = is_early ? Opcode::F2fpF16Short : Opcode::F2fpF16;
  const Opcode to_bfloat = is_early ? Opcode::F2fpBf16Short : Opcode::F2fpBf16;
  s.emit(is_bfloat(type) ? to_bfloat : to_half, {result, zero(), value});
}

/// .sat and .relu of 16-bit results.
void write_half(Selection& s, const ptx::Instruction& i, const Operand& value, Modifier type) {
  Operand made = value;
  if (i.has(Modifier::Relu)) {
    made = fresh(s);
    s.emit(is_bfloat(type) ? Opcode::Hmnmx2Bf16 : Opcode::Hmnmx2, {made, value, zero(), never()},
           {ir::Modifier::NanWinsNan});
  }
  if (i.has(Modifier::Sat)) {
    if (is_bfloat(type)) Selection::refuse(i);
    const Operand before = made;
    made = fresh(s);
    s.emit(Opcode::Hadd2, {made, before, minus_zero()}, {ir::Modifier::SaturateSat});
  }
  write(s, i, made);
}

void narrow_of_integer(Selection& s, const ptx::Instruction& i) {
  const Modifier to = i.type();
  const Modifier from = i.type(1);
  const Operand made = fresh(s);
  if (bits_of(from) < 64 && !is_directed(i)) {
    s.emit(is_bfloat(to) ? Opcode::I2fBf16 : Opcode::I2fF16, {made, s.source(i.operands[1])},
           {source_integer(from)});
  } else if (is_directed(i)) {
    const Operand as_float = fresh(s);
    emit_float_of_integer(s, i, as_float, float_rounding(i));
    emit_narrow(s, made, as_float, to, float_rounding(i));
  } else {
    const Operand as_float = to_odd(s, [&](const Operand& result, ir::Modifier rounding) {
      emit_float_of_integer(s, i, result, rounding);
    });
    emit_narrow(s, made, as_float, to, ir::Modifier::FloatRoundingNearest);
  }
  write_half(s, i, made, to);
}

// -- between floats -----------------------------------------------------------------------------------------

/// .satfinite: numbers beyond the greatest are the greatest; NaN stays.
Operand finite(Selection& s, const Operand& value, Modifier type) {
  const std::uint32_t greatest = is_bfloat(type) ? 0x7f7f0000 : 0x477fe000;
  const Operand below = fresh(s);
  const Operand made = fresh(s);
  s.emit(Opcode::Fmnmx, {below, s.builder.in_register(value), number(greatest), always()},
         {ir::Modifier::NanWinsNan});
  s.emit(Opcode::Fmnmx, {made, below, number(greatest | kSignBit), never()}, {ir::Modifier::NanWinsNan});
  return made;
}

Operand prepared(Selection& s, const ptx::Instruction& i, const ptx::Operand& operand, Modifier to) {
  Operand value = float_source(s, i, operand, Modifier::F32);
  if (i.has(Modifier::Ftz)) {
    const Operand flushed = fresh(s);
    s.emit(Opcode::Fadd, {flushed, s.builder.in_register(value), minus_zero()}, {ir::Modifier::FlushFtz});
    value = flushed;
  }
  return i.has(Modifier::Satfinite) ? finite(s, value, to) : value;
}

/// Two floats in the halves of a register, the first one above.
void pack(Selection& s, const ptx::Instruction& i) {
  const Modifier to = i.type();
  const bool is_known = (to == Modifier::F16x2 || to == Modifier::Bf16x2) && i.operands.size() == 3;
  if (!is_known || i.has(Modifier::Rs) || i.type(1) != Modifier::F32) Selection::refuse(i);
  const Operand high = prepared(s, i, i.operands[1], to);
  const Operand low = prepared(s, i, i.operands[2], to);
  const Operand made = fresh(s);
  if (is_directed(i)) {
    const Operand of_high = fresh(s);
    const Operand of_low = fresh(s);
    emit_narrow(s, of_high, high, to, float_rounding(i));
    emit_narrow(s, of_low, low, to, float_rounding(i));
    s.emit(Opcode::Prmt, {made, of_low, number(0x5410), of_high});
    return write_half(s, i, made, to);
  }
  const bool is_early = s.target.compute_capability <= 86;
  const Opcode to_half = is_early ? Opcode::F2fpF16Short : Opcode::F2fpF16;
  const Opcode to_bfloat = is_early ? Opcode::F2fpBf16Short : Opcode::F2fpBf16;
  s.emit(is_bfloat(to) ? to_bfloat : to_half, {made, s.builder.in_register(high), low});
  write_half(s, i, made, to);
}

/// To 10 bits of fraction, half of the last place away from zero. Of NaN too only these are left, so that one
/// whose others are zero becomes an infinity (as measured on an H200); with .rz it stays.
void round_to_tf32(Selection& s, const ptx::Instruction& i) {
  constexpr std::uint32_t kHalfOfLastPlace = 0x1000;
  constexpr std::uint32_t kKept = 0xffffe000;
  const bool rounds = i.has(Modifier::Rna);
  if ((!rounds && !i.has(Modifier::Rz)) || i.type(1) != Modifier::F32 || i.has(Modifier::Satfinite))
    Selection::refuse(i);
  const Operand value = s.builder.in_register(s.source(i.operands[1]));
  const Operand moved = fresh(s);
  const Operand cut = fresh(s);
  const Operand is_finite = compare_magnitude(s, value, ir::Modifier::CompareLt, kInfinity);
  s.emit(Opcode::Iadd3, {moved, always(), always(), value, number(rounds ? kHalfOfLastPlace : 0), zero()});
  const Operand made = i.has(Modifier::Relu) ? fresh(s) : s.result(i.operands[0]);
  if (rounds) {
    s.emit(Opcode::Sel, {cut, moved, value, is_finite});
    emit_logic(s, made, cut, number(kKept), zero(), 0xc0);
  } else {
    emit_logic(s, cut, moved, number(kKept), zero(), 0xc0);
    s.emit(Opcode::Sel, {made, cut, value, is_finite});
  }
  if (!i.has(Modifier::Relu)) return;
  s.emit(Opcode::Fmnmx, {s.result(i.operands[0]), made, zero(), never()}, {ir::Modifier::NanWinsNan});
}

/// A source of 16 or 32 bits as a float, exactly.
Operand as_float(Selection& s, const ptx::Instruction& i, Modifier from) {
  return from == Modifier::F32 ? float_source(s, i, i.operands[1], from)
                               : float_of_half(s, half_source(s, i), from);
}

void float_to_float(Selection& s, const ptx::Instruction& i, Modifier from) {
  Operand value = s.builder.in_register(as_float(s, i, from));
  if (rounds_to_integer(i)) {
    const Operand whole = fresh(s);
    s.emit(Opcode::Frnd, {whole, value}, {flush(i), integer_rounding(i)});
    return write(s, i, limited(s, i, whole, false));
  }
  const bool has_flush = i.has(Modifier::Ftz) && (from == Modifier::F32 || from == Modifier::Bf16);
  if (!i.has(Modifier::Sat) && !has_flush && !value.negated && !value.absolute) return write(s, i, value);
  s.emit(Opcode::Fadd, {s.result(i.operands[0]), value, minus_zero()},
         {has_flush ? ir::Modifier::FlushFtz : ir::Modifier::FlushNone, saturation(i)});
}

void float_of_double(Selection& s, const ptx::Instruction& i) {
  const Operand made = fresh(s);
  s.emit(Opcode::F2fF32F64, {made, float_source(s, i, i.operands[1], Modifier::F64)},
         {flush(i), float_rounding(i)});
  write(s, i, limited(s, i, made, false));
}

/// 0 to 1, NaN being 0.
void write_saturated_double(Selection& s, const ptx::Instruction& i, const Operand& value) {
  constexpr std::uint64_t kOne = 0x3ff0000000000000;
  const Operand is_positive = pred(s.builder.fresh_predicate());
  const Operand is_great = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Dsetp, {is_positive, always(), value, zero(), always()},
         {ir::Modifier::CompareGt, ir::Modifier::BoolAnd});
  s.emit(Opcode::Dsetp, {is_great, always(), value, number(kOne), always()},
         {ir::Modifier::CompareGt, ir::Modifier::BoolAnd});
  const Words result = s.word_results(i.operands[0]);
  const Words low{fresh(s), fresh(s)};
  const Operand one = s.builder.in_register(number(kOne >> 32));
  s.emit(Opcode::Sel, {low.low, value, zero(), is_positive});
  s.emit(Opcode::Sel, {low.high, reg(value.index + 1), zero(), is_positive});
  s.emit(Opcode::Sel, {result.low, zero(), low.low, is_great});
  s.emit(Opcode::Sel, {result.high, one, low.high, is_great});
}

void to_double(Selection& s, const ptx::Instruction& i, Modifier from) {
  const Operand made = i.has(Modifier::Sat) ? fresh_pair(s) : s.wide_result(i.operands[0]);
  if (from == Modifier::F64) {
    const Operand value = float_source(s, i, i.operands[1], from);
    if (rounds_to_integer(i)) {
      s.emit(Opcode::FrndF64, {made, value}, {integer_rounding(i)});
    } else {
      s.emit(Opcode::Dadd, {made, minus_zero(), value});
    }
  } else if (from == Modifier::F16) {
    s.emit(Opcode::F2fF64F16, {made, half_source(s, i)});
  } else {
    s.emit(Opcode::F2fF64F32, {made, as_float(s, i, from)},
           {from == Modifier::F32 ? flush(i) : ir::Modifier::FlushNone});
  }
  if (i.has(Modifier::Sat)) write_saturated_double(s, i, made);
}

/// A double as a float that is rounded on to 16 bits as if it were the double.
Operand between_roundings(Selection& s, const ptx::Instruction& i) {
  const Operand value = s.wide(i.operands[1]);
  const auto emit = [&](const Operand& result, ir::Modifier rounding) {
    s.emit(Opcode::F2fF32F64, {result, value}, {rounding});
  };
  if (!is_directed(i)) return to_odd(s, emit);
  const Operand made = fresh(s);
  emit(made, float_rounding(i));
  return made;
}

void to_half(Selection& s, const ptx::Instruction& i, Modifier from) {
  const Modifier to = i.type();
  const Operand made = fresh(s);
  if (from == to && rounds_to_integer(i) && is_half(to)) {
    s.emit(Opcode::FrndF16, {made, half_source(s, i)}, {integer_rounding(i)});
  } else if (from == to && !rounds_to_integer(i)) {
    s.emit(Opcode::Mov, {made, s.source(i.operands[1])});
  } else if (from == Modifier::F64 && is_half(to)) {
    s.emit(Opcode::F2fF16F64, {made, s.wide(i.operands[1])}, {float_rounding(i)});
  } else if (from == Modifier::F64) {
    emit_narrow(s, made, between_roundings(s, i), to, float_rounding(i));
  } else {
    Operand value = from == Modifier::F32 ? prepared(s, i, i.operands[1], to) : as_float(s, i, from);
    if (rounds_to_integer(i)) {
      const Operand whole = fresh(s);
      s.emit(Opcode::Frnd, {whole, value}, {integer_rounding(i)});
      value = whole;
    }
    emit_narrow(s, made, value, to, float_rounding(i));
  }
  write_half(s, i, made, to);
}

// -- to integer ---------------------------------------------------------------------------------------------

/// NaN as an integer of 64 bits, or from 64 bits, is the highest bit alone.
void write_narrow_of_double(Selection& s, const ptx::Instruction& i, Modifier to, const Operand& word,
                            const Operand& value) {
  if (is_signed(to)) return write_integer(s, i, to, word);
  const Operand is_nan = pred(s.builder.fresh_predicate());
  const Operand made = fresh(s);
  s.emit(Opcode::Dsetp, {is_nan, always(), value, value, always()},
         {ir::Modifier::CompareNan, ir::Modifier::BoolAnd});
  s.emit(Opcode::Sel,
         {made, s.builder.in_register(number(std::uint64_t{1} << (bits_of(to) - 1))), word, is_nan});
  write_integer(s, i, to, made);
}

void wide_of_float(Selection& s, const ptx::Instruction& i, Modifier to, Modifier from) {
  const Operand result = s.wide_result(i.operands[0]);
  const ir::Modifier rounding = integer_rounding(i);
  if (from == Modifier::F64) {
    s.emit(is_signed(to) ? Opcode::F2iS64F64 : Opcode::F2iU64F64,
           {result, float_source(s, i, i.operands[1], from)}, {rounding});
    return;
  }
  Operand value = as_float(s, i, from);
  if (i.has(Modifier::Ftz) && from == Modifier::F32) {
    const Operand flushed = fresh(s);
    s.emit(Opcode::Fadd, {flushed, s.builder.in_register(value), minus_zero()}, {ir::Modifier::FlushFtz});
    value = flushed;
  }
  s.emit(is_signed(to) ? Opcode::F2iS64 : Opcode::F2iU64, {result, value}, {rounding});
}

void emit_word_of_float(Selection& s, const ptx::Instruction& i, const Operand& result, bool has_sign,
                        Modifier from) {
  const ir::Modifier rounding = integer_rounding(i);
  if (from == Modifier::F64) {
    s.emit(has_sign ? Opcode::F2iF64 : Opcode::F2iU32F64, {result, float_source(s, i, i.operands[1], from)},
           {rounding});
  } else if (from == Modifier::F16) {
    s.emit(has_sign ? Opcode::F2iF16 : Opcode::F2iU32F16, {result, half_source(s, i)},
           {rounding, ir::Modifier::NanToZeroNtz});
  } else {
    s.emit(Opcode::F2i, {result, as_float(s, i, from)},
           {flush(i), has_sign ? ir::Modifier::IntTypeS32 : ir::Modifier::IntTypeU32, rounding,
            ir::Modifier::NanToZeroNtz});
  }
}

}  // namespace

void convert_to_float(Selection& s, const ptx::Instruction& i) {
  const Modifier to = i.type();
  const Modifier from = i.type(1);
  switch (to) {
    case Modifier::F32: {
      const Operand made = i.has(Modifier::Sat) ? fresh(s) : s.result(i.operands[0]);
      emit_float_of_integer(s, i, made, float_rounding(i));
      if (i.has(Modifier::Sat)) write(s, i, limited(s, i, made, false));
      return;
    }
    case Modifier::F64: {
      const Operand made = i.has(Modifier::Sat) ? fresh_pair(s) : s.wide_result(i.operands[0]);
      if (bits_of(from) == 64) {
        double_of_wide(s, i, made);
      } else {
        s.emit(Opcode::I2fF64, {made, s.source(i.operands[1])}, {source_integer(from)});
      }
      if (i.has(Modifier::Sat)) write_saturated_double(s, i, made);
      return;
    }
    case Modifier::F16:
    case Modifier::Bf16:
      return narrow_of_integer(s, i);
    default:
      Selection::refuse(i);
  }
}

void convert_to_integer(Selection& s, const ptx::Instruction& i) {
  const Modifier to = i.type();
  const Modifier from = i.type(1);
  const bool is_known =
      from == Modifier::F64 || from == Modifier::F32 || from == Modifier::F16 || from == Modifier::Bf16;
  if (!is_known) Selection::refuse(i);
  if (bits_of(to) == 64) return wide_of_float(s, i, to, from);
  if (bits_of(to) == 32) return emit_word_of_float(s, i, s.result(i.operands[0]), is_signed(to), from);
  const Operand word = fresh(s);
  emit_word_of_float(s, i, word, is_signed(to), from);
  const Operand narrow = saturated(s, word, to, is_signed(to) ? Modifier::S32 : Modifier::U32);
  if (from == Modifier::F64) return write_narrow_of_double(s, i, to, narrow, s.wide(i.operands[1]));
  write_integer(s, i, to, narrow);
}

void convert_between_floats(Selection& s, const ptx::Instruction& i) {
  const Modifier to = i.type();
  const Modifier from = i.type(1);
  if (ptx::info(to).kind == ptx::TypeKind::Packed || ptx::info(from).kind == ptx::TypeKind::Packed)
    return pack(s, i);
  if (to == Modifier::Tf32) return round_to_tf32(s, i);
  const bool from_known =
      from == Modifier::F64 || from == Modifier::F32 || from == Modifier::F16 || from == Modifier::Bf16;
  if (!from_known || i.has(Modifier::Rs)) Selection::refuse(i);
  switch (to) {
    case Modifier::F32:
      return from == Modifier::F64 ? float_of_double(s, i) : float_to_float(s, i, from);
    case Modifier::F64:
      return to_double(s, i, from);
    case Modifier::F16:
    case Modifier::Bf16:
      return to_half(s, i, from);
    default:
      Selection::refuse(i);
  }
}

}  // namespace heddle::lower
