// Minima and maxima of floating-point numbers.
#include "isa/lower/floats.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

constexpr std::uint32_t kQuietBit = 0x00080000;  // in the high word of a double

Operand is_least(const ptx::Instruction& i) { return i.opcode == ptx::Opcode::Min ? always() : never(); }

ir::Modifier nan_wins(const ptx::Instruction& i) {
  return i.has(Modifier::PropagateNan) ? ir::Modifier::NanWinsNan : ir::Modifier::NanWinsNone;
}

/// Emits min or max of doubles: a predicate chooses the words of a or of b; the result is NaN where both are.
void emit_double(Selection& s, const ptx::Instruction& i) {
  const Operand takes_a = pred(s.builder.fresh_predicate());
  const Operand both_nan = pred(s.builder.fresh_predicate());
  const Operand a = s.builder.in_pair(s.words(i.operands[1]));
  const Operand b = s.builder.in_pair(s.words(i.operands[2]));
  const Words result = s.word_results(i.operands[0]);
  s.emit(i.opcode == ptx::Opcode::Min ? Opcode::DsetpMin : Opcode::DsetpMax,
         {takes_a, both_nan, a, b, always()}, {ir::Modifier::BoolAnd});
  const auto high = [](const Operand& pair) { return is_zero(pair) ? zero() : reg(pair.index + 1); };
  const Operand low = fresh(s);
  const Operand chosen = fresh(s);
  const Operand quiet = fresh(s);
  s.emit(Opcode::Sel, {low, a, b, takes_a});
  s.emit(Opcode::Sel, {chosen, high(a), high(b), takes_a});
  emit_logic(s, quiet, high(b), number(kQuietBit), zero(), 0xfc);
  s.emit(Opcode::Sel, {result.high, quiet, chosen, both_nan});
  s.builder.move(result.low.index, low);
}

Opcode opcode_of(Modifier type) {
  if (type == Modifier::F32) return Opcode::Fmnmx;
  return is_bfloat(type) ? Opcode::Hmnmx2Bf16 : Opcode::Hmnmx2;
}

void emit_one(Selection& s, const ptx::Instruction& i, const Operand& result, Operand a, Operand b) {
  put_register_first(a, b);
  const Modifier type = i.type();
  if (is_bfloat(type)) {
    s.emit(opcode_of(type), {result, a, b, is_least(i)}, {nan_wins(i)});
  } else {
    s.emit(opcode_of(type), {result, a, b, is_least(i)}, {flush(i), nan_wins(i)});
  }
}

/// A sum with -0, which is the number itself, or the one NaN of the type.
void emit_plain_nan(Selection& s, Modifier type, const Operand& result, const Operand& value) {
  constexpr std::uint32_t kMinusZeros = 0x80008000;
  constexpr std::uint32_t kOnes = 0x3f803f80;
  if (type == Modifier::F32) {
    s.emit(Opcode::Fadd, {result, value, minus_zero()});
  } else if (is_bfloat(type)) {
    s.emit(Opcode::Hfma2Bf16, {result, value, number(kOnes), number(kMinusZeros)});
  } else {
    s.emit(Opcode::Hadd2, {result, value, minus_zero()});
  }
}

/// .xorsign.abs: of the magnitudes, with the sign that the product would have; NaN has none.
void emit_with_sign(Selection& s, const ptx::Instruction& i, const Operand& a, const Operand& b) {
  const Modifier type = i.type();
  const Operand found = fresh(s);
  const Operand signs = fresh(s);
  emit_one(s, i, found, magnitude(a, type), magnitude(b, type));
  const Operand first = s.builder.in_register(a);
  const Operand second = s.builder.in_register(b);
  // (a ^ b) & the signs
  emit_logic(s, signs, first, second, number(type == Modifier::F32 ? kSignBit : 0x80008000U), 0x28);
  const Operand made = fresh(s);
  emit_logic(s, made, found, signs, zero(), 0xfc);
  emit_plain_nan(s, type, s.result(i.operands[0]), made);
}

/// Operands whose bits are looked at have no signs beside them.
Operand operand_of(Selection& s, const ptx::Instruction& i, std::size_t place) {
  if (!i.has(Modifier::Xorsign)) return float_source(s, i, i.operands[place], i.type());
  const auto bits = number_of(i.operands[place], bits_of(i.type()));
  if (bits && bits_of(i.type()) == 16) return number(*bits << 16 | *bits);
  return s.source(i.operands[place]);
}

void emit_three(Selection& s, const ptx::Instruction& i) {
  if (i.type() != Modifier::F32 || i.has(Modifier::Xorsign)) Selection::refuse(i);
  const Operand result = s.result(i.operands[0]);
  const Operand a = s.builder.in_register(operand_of(s, i, 1));
  if (s.target.compute_capability >= 100) {
    s.emit(Opcode::Fmnmx3, {result, a, operand_of(s, i, 2), operand_of(s, i, 3), is_least(i)},
           {flush(i), nan_wins(i)});
    return;
  }
  const Operand first = fresh(s);
  emit_one(s, i, first, a, operand_of(s, i, 2));
  emit_one(s, i, result, first, operand_of(s, i, 3));
}

}  // namespace

void select_float_min_max(Selection& s, const ptx::Instruction& i) {
  const Modifier type = i.type();
  if (type == Modifier::F64) return emit_double(s, i);
  if (type != Modifier::F32 && !is_half(type) && !is_bfloat(type)) Selection::refuse(i);
  if (is_bfloat(type) && i.has(Modifier::Ftz)) Selection::refuse(i);
  if (i.operands.size() == 4) return emit_three(s, i);
  const Operand a = operand_of(s, i, 1);
  const Operand b = operand_of(s, i, 2);
  if (i.has(Modifier::Xorsign)) return emit_with_sign(s, i, a, b);
  emit_one(s, i, s.result(i.operands[0]), a, b);
}

}  // namespace heddle::lower
