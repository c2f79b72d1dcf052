// Products of integers.
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

/// a and b of mul.wide and mul.hi of 16 bits, whole.
struct Factors {
  Operand a;
  Operand b;
};

Factors factors(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  Factors made{s.extended(instruction.operands[1], bits_of(type), is_signed(type)),
               s.extended(instruction.operands[2], bits_of(type), is_signed(type))};
  put_register_first(made.a, made.b);
  return made;
}

void multiply_32(Selection& s, const ptx::Instruction& instruction, const Operand* addend) {
  const Modifier type = instruction.type();
  const Operand to = s.result(instruction.operands[0]);
  Operand a = s.source(instruction.operands[1]);
  Operand b = s.source(instruction.operands[2]);
  put_register_first(a, b);
  const Operand c = addend == nullptr ? zero() : *addend;
  if (!instruction.has(Modifier::Hi)) {
    s.emit(Opcode::Imad, {to, a, b, c});
    return;
  }
  const Operand high = addend == nullptr ? to : reg(s.builder.fresh());
  s.emit(Opcode::ImadHi, {high, always(), a, b, zero()}, {int_type(type)});
  if (addend != nullptr) s.emit(Opcode::Iadd3, {to, always(), always(), high, c, zero()});
}

void multiply_16(Selection& s, const ptx::Instruction& instruction, const Operand* addend) {
  const Operand c = addend == nullptr ? zero() : *addend;
  const Operand to = s.result(instruction.operands[0]);
  const auto [a, b] = factors(s, instruction);
  if (!instruction.has(Modifier::Hi)) {
    s.emit(Opcode::Imad, {to, a, b, c});
    return;
  }
  const Operand product = reg(s.builder.fresh());
  const Operand high = reg(s.builder.fresh());
  s.emit(Opcode::Imad, {product, a, b, zero()});
  s.emit(Opcode::Shf, {high, zero(), number(16), product},
         {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeU32, ir::Modifier::HalfHigh});
  s.emit(Opcode::Iadd3, {to, always(), always(), high, c, zero()});
}

void multiply_64(Selection& s, const ptx::Instruction& instruction, const Words& addend) {
  const Words to = s.word_results(instruction.operands[0]);
  const Words a = s.words(instruction.operands[1]);
  const Words b = s.words(instruction.operands[2]);
  if (!instruction.has(Modifier::Hi)) return multiply_words(s.builder, to, a, b, addend);
  if (is_zero(addend.low) && is_zero(addend.high))
    return multiply_high(s.builder, to, a, b, is_signed(instruction.type()));
  const Words high{reg(s.builder.fresh()), reg(s.builder.fresh())};
  multiply_high(s.builder, high, a, b, is_signed(instruction.type()));
  add_words(s.builder, to, high, addend);
}

void multiply_wide(Selection& s, const ptx::Instruction& instruction, const Operand& addend) {
  const auto [a, b] = factors(s, instruction);
  s.emit(Opcode::ImadWide, {s.wide_result(instruction.operands[0]), always(), a, b, addend},
         {int_type(instruction.type())});
}

/// mul24: the low or the high 32 bits of the 48 that the product of 24-bit numbers has.
void multiply_24(Selection& s, const ptx::Instruction& instruction, const Operand* addend) {
  const Modifier type = instruction.type();
  const auto narrow = [&](const ptx::Operand& operand) {
    const Operand value = s.builder.in_register(s.source(operand));
    const Operand kept = reg(s.builder.fresh());
    s.emit(Opcode::Sgxt, {kept, value, number(24)}, {int_type(type)});
    return kept;
  };
  const Operand a = narrow(instruction.operands[1]);
  const Operand b = narrow(instruction.operands[2]);
  const Operand to = s.result(instruction.operands[0]);
  const Operand c = addend == nullptr ? zero() : *addend;
  if (!instruction.has(Modifier::Hi)) {
    s.emit(Opcode::Imad, {to, a, b, c});
    return;
  }
  const ir::RegisterIndex product = s.builder.fresh(2);
  const Operand high = reg(s.builder.fresh());
  s.emit(Opcode::ImadWide, {reg(product), always(), a, b, zero()}, {int_type(type)});
  s.emit(Opcode::Shf, {high, reg(product), number(16), reg(product + 1)},
         {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeU32});
  s.emit(Opcode::Iadd3, {to, always(), always(), high, c, zero()});
}

}  // namespace

void select_mul(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (is_float(type)) return select_float_product(s, instruction);
  if (instruction.opcode == ptx::Opcode::Mul24) return multiply_24(s, instruction, nullptr);
  if (instruction.has(Modifier::Wide)) {
    if (bits_of(type) == 32) return multiply_wide(s, instruction, zero());
    if (bits_of(type) != 16) Selection::refuse(instruction);
    const auto [a, b] = factors(s, instruction);
    s.emit(Opcode::Imad, {s.result(instruction.operands[0]), a, b, zero()});
    return;
  }
  if (bits_of(type) == 64) return multiply_64(s, instruction, {zero(), zero()});
  if (bits_of(type) == 16) return multiply_16(s, instruction, nullptr);
  multiply_32(s, instruction, nullptr);
}

void select_mad(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (is_float(type)) return select_fma(s, instruction);
  if (instruction.has(Modifier::Cc)) return select_mad_with_carry(s, instruction);
  if (instruction.has(Modifier::Sat)) Selection::refuse(instruction);
  const ptx::Operand& addend = instruction.operands[3];
  if (instruction.has(Modifier::Wide) && bits_of(type) == 32)
    return multiply_wide(s, instruction, s.wide(addend));
  if (bits_of(type) == 64) return multiply_64(s, instruction, s.words(addend));
  const Operand c = s.source(addend);
  if (instruction.opcode == ptx::Opcode::Mad24) return multiply_24(s, instruction, &c);
  if (instruction.has(Modifier::Wide)) {
    const auto [a, b] = factors(s, instruction);
    s.emit(Opcode::Imad, {s.result(instruction.operands[0]), a, b, c});
    return;
  }
  if (bits_of(type) == 16) return multiply_16(s, instruction, &c);
  multiply_32(s, instruction, &c);
}

void select_dot(Selection& s, const ptx::Instruction& instruction) {
  const bool a_signed = is_signed(instruction.type(0));
  const bool b_signed = is_signed(instruction.type(1));
  const Operand to = s.result(instruction.operands[0]);
  const Operand a = s.source(instruction.operands[1]);
  const Operand b = s.source(instruction.operands[2]);
  const Operand c = s.source(instruction.operands[3]);
  if (instruction.opcode == ptx::Opcode::Dp4a) {
    const Opcode opcode = a_signed ? (b_signed ? Opcode::Idp4aS8S8 : Opcode::Idp4aS8U8)
                                   : (b_signed ? Opcode::Idp4aU8S8 : Opcode::Idp4aU8U8);
    s.emit(opcode, {to, a, b, c});
    return;
  }
  s.emit(Opcode::Idp2a, {to, a, b, c},
         {instruction.has(Modifier::Hi) ? ir::Modifier::DotBytesUpper : ir::Modifier::DotBytesLower,
          a_signed ? ir::Modifier::DotWordS16 : ir::Modifier::DotWordU16,
          b_signed ? ir::Modifier::DotByteS8 : ir::Modifier::DotByteU8});
}

}  // namespace heddle::lower
