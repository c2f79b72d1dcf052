// cvt between integers, and what all conversions share. Those from and to floating point are in
// select_convert_float.cpp.
#include "isa/lower/convert.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

void shift_sign(Selection& s, const Operand& to, const Operand& value) {
  s.emit(Opcode::Shf, {to, zero(), number(31), s.builder.in_register(value)},
         {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeS32, ir::Modifier::HalfHigh});
}

std::uint32_t greatest_of(Modifier type) {
  const unsigned bits = bits_of(type) - (is_signed(type) ? 1 : 0);
  return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
}

Operand compare_high(Selection& s, const Operand& high, ir::Modifier how, const Operand& with) {
  const Operand holds = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Isetp, {holds, always(), s.builder.in_register(high), with, always(), never()},
         {how, ir::Modifier::IntTypeS32, ir::Modifier::BoolAnd});
  return holds;
}

Operand select_word(Selection& s, const Operand& where, const Operand& a, const Operand& b) {
  const Operand made = fresh(s);
  s.emit(Opcode::Sel, {made, s.builder.in_register(a), b, where});
  return made;
}

/// A value of 64 bits as one of 32, saturated.
Operand saturated_word(Selection& s, const Words& value, bool from_signed, bool to_signed) {
  const Operand low = s.builder.in_register(value.low);
  if (!from_signed) {
    const Operand is_great = compare_high(s, value.high, ir::Modifier::CompareNe, zero());
    return select_word(s, is_great, number(0xffffffffU), low);
  }
  if (!to_signed) {
    const Operand is_negative = compare_high(s, value.high, ir::Modifier::CompareLt, zero());
    const Operand is_great = compare_high(s, value.high, ir::Modifier::CompareGt, zero());
    const Operand most = select_word(s, is_great, number(0xffffffffU), low);
    return select_word(s, is_negative, zero(), most);
  }
  const Operand sign = fresh(s);
  const Operand sign_of_all = fresh(s);
  const Operand limit = fresh(s);
  shift_sign(s, sign, low);
  shift_sign(s, sign_of_all, value.high);
  emit_logic(s, limit, sign_of_all, number(0x7fffffff), zero(), 0x3c);
  const Operand fits = compare_high(s, value.high, ir::Modifier::CompareEq, sign);
  return select_word(s, fits, low, limit);
}

/// 64 bits as 64 bits of the other kind.
Words saturated_words(Selection& s, const Words& value, bool from_signed) {
  const Operand is_negative = compare_high(s, value.high, ir::Modifier::CompareLt, zero());
  const Operand low = from_signed ? zero() : number(0xffffffffU);
  const Operand high = from_signed ? zero() : number(0x7fffffff);
  return {select_word(s, is_negative, low, s.builder.in_register(value.low)),
          select_word(s, is_negative, high, s.builder.in_register(value.high))};
}

/// A whole word as a wider value, what is negative being zero if that has no sign.
Operand not_negative(Selection& s, const Operand& word) {
  const Operand made = fresh(s);
  s.emit(Opcode::Imnmx, {made, s.builder.in_register(word), zero(), never()}, {ir::Modifier::IntTypeS32});
  return made;
}

void saturate_wide(Selection& s, const ptx::Instruction& i, Modifier to, Modifier from) {
  const bool from_signed = is_signed(from);
  if (bits_of(from) == 64) {
    const Words value = s.words(i.operands[1]);
    if (bits_of(to) == 64) {
      const Words result = from_signed == is_signed(to) ? value : saturated_words(s, value, from_signed);
      return write_words(s, i, result);
    }
    const bool middle_signed = from_signed && to != Modifier::U32;
    const Operand word = saturated_word(s, value, from_signed, middle_signed);
    return write_integer(s, i, to, saturated(s, word, to, middle_signed ? Modifier::S32 : Modifier::U32));
  }
  Operand word = s.extended(i.operands[1], bits_of(from), from_signed);
  if (!from_signed) return write_words(s, i, {word, zero()});
  if (!is_signed(to)) return write_words(s, i, {not_negative(s, word), zero()});
  const Operand sign = fresh(s);
  shift_sign(s, sign, word);
  write_words(s, i, {word, sign});
}

/// Notes that the result is the source, if that stays what it is.
void note_copy(Selection& s, const ptx::Instruction& i, const Operand& low, const Operand& high) {
  const ptx::Operand& source = i.operands[1];
  const bool is_register_of_ptx = source.kind == ptx::Operand::Kind::Register;
  if (!is_register_of_ptx || !s.values[source.reg].is_single()) return;
  s.note_known(i.operands[0], {low, high});
}

void widen(Selection& s, const ptx::Instruction& i, Modifier from) {
  const Operand low = s.extended(i.operands[1], bits_of(from), is_signed(from));
  const Words result = s.word_results(i.operands[0]);
  if (!is_signed(from)) {
    s.emit(Opcode::Mov, {result.low, low});
    s.emit(Opcode::Mov, {result.high, zero()});
    return note_copy(s, i, low, zero());
  }
  const Operand sign = fresh(s);
  shift_sign(s, sign, low);
  s.emit(Opcode::Mov, {result.low, low});
  s.emit(Opcode::Mov, {result.high, sign});
  note_copy(s, i, low, sign);
}

void convert_integer(Selection& s, const ptx::Instruction& i, Modifier to, Modifier from) {
  if (bits_of(from) == 64 && bits_of(to) == 64) {
    const Words value = s.words(i.operands[1]);
    write_words(s, i, value);
    return note_copy(s, i, value.low, value.high);
  }
  if (bits_of(to) == 64) return widen(s, i, from);
  const Operand word = bits_of(from) == 64 ? s.words(i.operands[1]).low
                       : bits_of(to) > bits_of(from)
                           ? s.extended(i.operands[1], bits_of(from), is_signed(from))
                           : s.source(i.operands[1]);
  const bool is_whole = bits_of(to) > bits_of(from) && (is_signed(to) || !is_signed(from));
  const bool is_copy = is_whole || bits_of(to) >= register_bits(s, i.operands[0]);
  if (!is_copy) return write_integer(s, i, to, extended_word(s, word, bits_of(to), is_signed(to)));
  s.emit(Opcode::Mov, {s.result(i.operands[0]), word});
  if (bits_of(to) > bits_of(from)) s.note_extension(i.operands[0], is_signed(from));
  note_copy(s, i, word, zero());
}

}  // namespace

unsigned register_bits(Selection& s, const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::Register ? s.values[operand.reg].bits : 32;
}

Operand extended_word(Selection& s, const Operand& word, unsigned bits, bool has_sign) {
  if (bits >= 32) return word;
  const Operand made = fresh(s);
  const Operand from = s.builder.in_register(word);
  if (has_sign) {
    s.emit(Opcode::Prmt, {made, from, number(bits == 8 ? 0x8880 : 0x9910), zero()});
  } else {
    emit_logic(s, made, from, number(bits == 8 ? 0xff : 0xffff), zero(), 0xc0);
  }
  return made;
}

Operand saturated(Selection& s, const Operand& word, Modifier to, Modifier from) {
  if (bits_of(to) > bits_of(from) || (bits_of(to) == bits_of(from) && is_signed(to) == is_signed(from))) {
    return is_signed(from) && !is_signed(to) ? not_negative(s, word) : word;
  }
  const Operand made = fresh(s);
  if (is_signed(from) && bits_of(to) < 32) {
    const Opcode rows[2][2] = {{Opcode::I2iU8, Opcode::I2iS8}, {Opcode::I2iU16, Opcode::I2iS16}};
    s.emit(rows[bits_of(to) / 16][is_signed(to) ? 1 : 0], {made, word});
    return made;
  }
  if (is_signed(from)) return not_negative(s, word);
  s.emit(Opcode::Imnmx, {made, s.builder.in_register(word), number(greatest_of(to)), always()},
         {ir::Modifier::IntTypeU32});
  return made;
}

void write_integer(Selection& s, const ptx::Instruction& i, Modifier to, const Operand& word) {
  s.emit(Opcode::Mov, {s.result(i.operands[0]), word});
  if (bits_of(to) < 32) s.note_extension(i.operands[0], is_signed(to));
}

void write_words(Selection& s, const ptx::Instruction& i, const Words& value) {
  const Words result = s.word_results(i.operands[0]);
  s.emit(Opcode::Mov, {result.low, value.low});
  s.emit(Opcode::Mov, {result.high, value.high});
}

void select_cvt(Selection& s, const ptx::Instruction& i) {
  const Modifier to = i.type(0);
  const Modifier from = i.type(1);
  if (to == Modifier::Unknown || from == Modifier::Unknown || i.type(2) != Modifier::Unknown)
    Selection::refuse(i);
  if (is_float(to) && is_float(from)) return convert_between_floats(s, i);
  if (is_float(to)) return convert_to_float(s, i);
  if (is_float(from)) return convert_to_integer(s, i);
  if (!i.has(Modifier::Sat)) return convert_integer(s, i, to, from);
  if (bits_of(to) == 64 || bits_of(from) == 64) return saturate_wide(s, i, to, from);
  write_integer(s, i, to, saturated(s, s.extended(i.operands[1], bits_of(from), is_signed(from)), to, from));
}

}  // namespace heddle::lower
