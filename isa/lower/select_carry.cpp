// Sums with carries: add.cc, addc, sub.cc, subc, mad.cc, madc. The carry is a predicate; of differences it
// holds where nothing is borrowed, as in the hardware's sums.
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

bool reads_carry(const ptx::Instruction& instruction) {
  return instruction.opcode == ptx::Opcode::Addc || instruction.opcode == ptx::Opcode::Subc ||
         instruction.opcode == ptx::Opcode::Madc;
}

/// The carry's predicate is one for the whole function: it may be written on several paths.
Operand carry_of(Selection& s) {
  if (s.carry == ir::kPredicateTrue) s.carry = s.builder.fresh_predicate();
  return pred(s.carry);
}

/// to = a + b (+ carry), with b inverted where it is subtracted.
void add_word(Selection& s, const Operand& to, const Operand& a, const Operand& b, bool subtracts, bool takes,
              bool gives) {
  const Operand out = gives ? carry_of(s) : always();
  const Operand first = s.builder.in_register(a);
  const Operand second = s.builder.in_register(b);
  if (!takes && !subtracts) {
    s.emit(Opcode::Iadd3, {to, out, always(), first, second, zero()});
    return;
  }
  // a - b is a + ~b + 1.
  Operand inverted = second;
  if (subtracts) {
    inverted = reg(s.builder.fresh());
    s.emit(Opcode::Lop3, {always(), inverted, zero(), second, zero(), number(0x33), never()},
           {ir::Modifier::LutLut});
  }
  s.emit(Opcode::Iadd3X,
         {to, out, always(), first, inverted, zero(), takes ? carry_of(s) : always(), never()});
}

}  // namespace

void select_add_with_carry(Selection& s, const ptx::Instruction& instruction) {
  const bool subtracts = instruction.opcode == ptx::Opcode::Sub || instruction.opcode == ptx::Opcode::Subc;
  const bool takes = reads_carry(instruction);
  const bool gives = instruction.has(Modifier::Cc);
  const auto& operands = instruction.operands;
  if (bits_of(instruction.type()) == 32) {
    return add_word(s, s.result(operands[0]), s.source(operands[1]), s.source(operands[2]), subtracts, takes,
                    gives);
  }
  const Words to = s.word_results(operands[0]);
  const Words a = s.words(operands[1]);
  const Words b = s.words(operands[2]);
  // The low word may be one that the high one is made of.
  const Operand low = reg(s.builder.fresh());
  add_word(s, low, a.low, b.low, subtracts, takes, true);
  add_word(s, to.high, a.high, b.high, subtracts, true, gives);
  s.builder.move(to.low.index, low);
}

void select_mad_with_carry(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  const auto& operands = instruction.operands;
  const bool is_high = instruction.has(Modifier::Hi);
  const bool takes = reads_carry(instruction);
  const bool gives = instruction.has(Modifier::Cc);
  if (bits_of(type) == 32) {
    const Operand product = reg(s.builder.fresh());
    if (is_high) {
      s.emit(Opcode::ImadHi, {product, always(), s.source(operands[1]), s.source(operands[2]), zero()},
             {int_type(type)});
    } else {
      s.emit(Opcode::Imad, {product, s.source(operands[1]), s.source(operands[2]), zero()});
    }
    return add_word(s, s.result(operands[0]), product, s.source(operands[3]), false, takes, gives);
  }
  const Words product{reg(s.builder.fresh()), reg(s.builder.fresh())};
  const Words a = s.words(operands[1]);
  const Words b = s.words(operands[2]);
  if (is_high) {
    multiply_high(s.builder, product, a, b, is_signed(type));
  } else {
    multiply_words(s.builder, product, a, b, {zero(), zero()});
  }
  const Words to = s.word_results(operands[0]);
  const Words c = s.words(operands[3]);
  const Operand low = reg(s.builder.fresh());
  add_word(s, low, product.low, c.low, false, takes, true);
  add_word(s, to.high, product.high, c.high, false, true, gives);
  s.builder.move(to.low.index, low);
}

}  // namespace heddle::lower
