// Sums, products and signs of floating-point numbers.
#include "isa/lower/floats.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

constexpr std::uint32_t kOneBfloat = 0x3f803f80;
constexpr std::uint32_t kMinusZeros = 0x80008000;

struct Factors {
  Operand a;
  Operand b;
};

void refuse_other_modifiers(const ptx::Instruction& instruction) {
  if (instruction.has(Modifier::Oob)) Selection::refuse(instruction);
}

/// a, b and c as operands; those of a narrower type than the result's are widened first.
Operand operand_of(Selection& s, const ptx::Instruction& instruction, std::size_t place) {
  const Modifier type = instruction.type();
  const Modifier narrow = instruction.type(1);
  const bool is_last = place + 1 == instruction.operands.size();
  if (narrow == Modifier::Unknown || is_last)
    return float_source(s, instruction, instruction.operands[place], type);
  if (type != Modifier::F32 || bits_of(narrow) != 16) Selection::refuse(instruction);
  return float_of_half(s, s.source(instruction.operands[place]), narrow);
}

/// .relu: nothing below zero; NaN stays.
void emit_relu(Selection& s, const Operand& result, const Operand& value, Modifier type) {
  s.emit(is_bfloat(type) ? Opcode::Hmnmx2Bf16 : Opcode::Hmnmx2, {result, value, zero(), never()},
         {ir::Modifier::NanWinsNan});
}

void emit_bfloat_sum(Selection& s, const Operand& result, const Operand& a, const Operand& b) {
  if (s.target.compute_capability >= 90) {
    s.emit(Opcode::Hadd2Bf16, {result, a, b});
  } else {
    s.emit(Opcode::Hfma2Bf16, {result, a, number(kOneBfloat), b});
  }
}

void emit_bfloat_product(Selection& s, const Operand& result, const Operand& a, const Operand& b) {
  if (s.target.compute_capability >= 90) {
    s.emit(Opcode::Hmul2Bf16, {result, a, b});
  } else {
    s.emit(Opcode::Hfma2Bf16, {result, a, b, number(kMinusZeros)});
  }
}

/// .f32x2: two instructions, one for each word.
template <typename Emit>
void in_both_words(Selection& s, const ptx::Instruction& instruction, Emit emit) {
  const Words result = s.word_results(instruction.operands[0]);
  const Words low_high[3] = {s.words(instruction.operands[1]), s.words(instruction.operands[2]),
                             instruction.operands.size() > 3 ? s.words(instruction.operands[3]) : Words{}};
  const Operand low = fresh(s);
  emit(low, low_high[0].low, low_high[1].low, low_high[2].low);
  emit(result.high, low_high[0].high, low_high[1].high, low_high[2].high);
  s.builder.move(result.low.index, low);
}

void emit_float_sum(Selection& s, const ptx::Instruction& i, const Operand& result, Operand a, Operand b) {
  put_register_first(a, b);
  s.emit(Opcode::Fadd, {result, a, b}, {flush(i), float_rounding(i), saturation(i)});
}

void emit_float_product(Selection& s, const ptx::Instruction& i, const Operand& result, Operand a,
                        Operand b) {
  put_register_first(a, b);
  s.emit(Opcode::Fmul, {result, a, b}, {flush(i), float_rounding(i), saturation(i)});
}

void emit_float_fma(Selection& s, const ptx::Instruction& i, const Operand& result, Operand a, Operand b,
                    const Operand& c) {
  put_register_first(a, b);
  s.emit(Opcode::Ffma, {result, a, b, c}, {flush(i), float_rounding(i), saturation(i)});
}

bool is_float_pair(Modifier type) { return type == Modifier::F32x2; }

/// Refuses what 16-bit types do not have: they are rounded to nearest only.
void check_half(const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if ((!is_half(type) && !is_bfloat(type)) ||
      float_rounding(instruction) != ir::Modifier::FloatRoundingNearest)
    Selection::refuse(instruction);
  if (is_bfloat(type) && (instruction.has(Modifier::Sat) || instruction.has(Modifier::Ftz)))
    Selection::refuse(instruction);
}

void emit_half_fma(Selection& s, const ptx::Instruction& i, const Operand& result, Operand a, Operand b,
                   const Operand& c) {
  put_register_first(a, b);
  if (is_bfloat(i.type())) {
    s.emit(Opcode::Hfma2Bf16, {result, a, b, c});
  } else {
    s.emit(Opcode::Hfma2, {result, a, b, c}, {flush(i), saturation(i)});
  }
}

}  // namespace

void select_float_sum(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  const bool subtracts = instruction.opcode == ptx::Opcode::Sub;
  if (is_float_pair(type)) {
    return in_both_words(s, instruction,
                         [&](const Operand& to, const Operand& a, const Operand& b, const Operand&) {
                           emit_float_sum(s, instruction, to, a, subtracts ? flipped(b, Modifier::F32) : b);
                         });
  }
  Operand a = operand_of(s, instruction, 1);
  Operand b = operand_of(s, instruction, 2);
  if (subtracts) b = flipped(b, type);
  if (type == Modifier::F32) return emit_float_sum(s, instruction, s.result(instruction.operands[0]), a, b);
  put_register_first(a, b);
  if (type == Modifier::F64) {
    s.emit(Opcode::Dadd, {s.wide_result(instruction.operands[0]), a, b}, {float_rounding(instruction)});
    return;
  }
  check_half(instruction);
  const Operand result = s.result(instruction.operands[0]);
  if (is_bfloat(type)) return emit_bfloat_sum(s, result, a, b);
  s.emit(Opcode::Hadd2, {result, a, b}, {flush(instruction), saturation(instruction)});
}

void select_float_product(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (is_float_pair(type)) {
    return in_both_words(s, instruction,
                         [&](const Operand& to, const Operand& a, const Operand& b, const Operand&) {
                           emit_float_product(s, instruction, to, a, b);
                         });
  }
  if (instruction.type(1) != Modifier::Unknown) Selection::refuse(instruction);
  Operand a = operand_of(s, instruction, 1);
  Operand b = operand_of(s, instruction, 2);
  if (type == Modifier::F32)
    return emit_float_product(s, instruction, s.result(instruction.operands[0]), a, b);
  put_register_first(a, b);
  if (type == Modifier::F64) {
    s.emit(Opcode::Dmul, {s.wide_result(instruction.operands[0]), a, b}, {float_rounding(instruction)});
    return;
  }
  check_half(instruction);
  const Operand result = s.result(instruction.operands[0]);
  if (is_bfloat(type)) return emit_bfloat_product(s, result, a, b);
  s.emit(Opcode::Hmul2, {result, a, b}, {flush(instruction), saturation(instruction)});
}

void select_fma(Selection& s, const ptx::Instruction& instruction) {
  refuse_other_modifiers(instruction);
  const Modifier type = instruction.type();
  if (is_float_pair(type)) {
    return in_both_words(s, instruction,
                         [&](const Operand& to, const Operand& a, const Operand& b, const Operand& c) {
                           emit_float_fma(s, instruction, to, a, b, c);
                         });
  }
  Operand a = operand_of(s, instruction, 1);
  Operand b = operand_of(s, instruction, 2);
  const Operand c = operand_of(s, instruction, 3);
  if (type == Modifier::F32)
    return emit_float_fma(s, instruction, s.result(instruction.operands[0]), a, b, c);
  if (type == Modifier::F64) {
    put_register_first(a, b);
    s.emit(Opcode::Dfma, {s.wide_result(instruction.operands[0]), a, b, c}, {float_rounding(instruction)});
    return;
  }
  check_half(instruction);
  const Operand result = s.result(instruction.operands[0]);
  if (!instruction.has(Modifier::Relu)) return emit_half_fma(s, instruction, result, a, b, c);
  const Operand sum = fresh(s);
  emit_half_fma(s, instruction, sum, a, b, c);
  emit_relu(s, result, sum, type);
}

void select_float_sign(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  const bool negates = instruction.opcode == ptx::Opcode::Neg;
  Operand value = float_source(s, instruction, instruction.operands[1], type);
  value = negates ? flipped(value, type) : magnitude(value, type);
  if (is_bfloat(type)) {
    value = s.builder.in_register(value);
    return emit_bfloat_sum(s, s.result(instruction.operands[0]), value, number(kMinusZeros));
  }
  if (type == Modifier::F64) {
    s.emit(Opcode::Dadd, {s.wide_result(instruction.operands[0]), minus_zero(), value});
  } else if (type == Modifier::F32) {
    s.emit(Opcode::Fadd, {s.result(instruction.operands[0]), value, minus_zero()}, {flush(instruction)});
  } else {
    check_half(instruction);
    s.emit(Opcode::Hadd2, {s.result(instruction.operands[0]), value, minus_zero()}, {flush(instruction)});
  }
}

}  // namespace heddle::lower
