#include "isa/lower/wide_sums.h"

#include <utility>

namespace heddle::lower {

namespace {

using ir::Opcode;

/// Sums read their first operand from a register.
void put_registers_first(Words& a, Words& b) {
  if (!is_register(a.low) && is_register(b.low)) std::swap(a, b);
}

bool is_number(const Words& value) {
  return (lower::is_number(value.low) || is_zero(value.low)) &&
         (lower::is_number(value.high) || is_zero(value.high));
}

std::uint64_t value_of(const Operand& operand) { return is_register(operand) ? 0 : operand.value; }

std::uint64_t value_of(const Words& value) { return value_of(value.high) << 32 | value_of(value.low); }

Words words_of(std::uint64_t value) { return {number(value & 0xffffffffU), number(value >> 32)}; }

}  // namespace

void add_words(Builder& builder, const Words& sum, const Words& a, const Words& b) {
  Words first = a;
  Words second = b;
  put_registers_first(first, second);
  const Operand carry = pred(builder.fresh_predicate());
  builder.emit(Opcode::Iadd3, {sum.low, carry, always(), first.low, second.low, zero()});
  builder.emit(Opcode::Iadd3X,
               {sum.high, always(), always(), first.high, second.high, zero(), carry, never()});
}

void subtract_words(Builder& builder, const Words& difference, const Words& a, const Words& b) {
  if (is_number(b)) return add_words(builder, difference, a, words_of(0 - value_of(b)));
  // a + ~b + 1: the low sum is made from -b, whose carry is that of ~b + 1.
  const Operand carry = pred(builder.fresh_predicate());
  builder.emit(Opcode::Iadd3, {difference.low, carry, always(), builder.in_register(a.low),
                               negative(builder.in_register(b.low)), zero()});
  builder.emit(Opcode::Iadd3X, {difference.high, always(), always(), builder.in_register(a.high),
                                negative(builder.in_register(b.high)), zero(), carry, never()});
}

Operand compare_words(Builder& builder, const Words& a, const Words& b, ir::Modifier comparison,
                      ir::Modifier int_type) {
  const Operand low = pred(builder.fresh_predicate());
  const Operand both = pred(builder.fresh_predicate());
  builder.emit(Opcode::Isetp, {low, always(), a.low, b.low, always(), never()},
               {comparison, ir::Modifier::IntTypeU32, ir::Modifier::BoolAnd});
  builder.emit(Opcode::Isetp, {both, always(), a.high, b.high, always(), low},
               {comparison, int_type, ir::Modifier::BoolAnd, ir::Modifier::HighWordEx});
  return both;
}

void multiply_words(Builder& builder, const Words& result, const Words& a, const Words& b, const Words& c) {
  const ir::RegisterIndex product = builder.fresh(2);
  const Operand middle = reg(builder.fresh());
  builder.emit(Opcode::ImadWide, {reg(product), always(), a.low, b.low, builder.in_pair(c)},
               {ir::Modifier::IntTypeU32});
  Operand top = reg(product + 1);
  if (!is_zero(a.high)) {
    builder.emit(Opcode::Imad, {middle, a.high, b.low, top});
    top = middle;
  }
  if (!is_zero(b.high)) {
    const Operand next = reg(builder.fresh());
    builder.emit(Opcode::Imad, {next, a.low, b.high, top});
    top = next;
  }
  builder.move(result.low.index, reg(product));
  builder.move(result.high.index, top);
}

void multiply_high(Builder& builder, const Words& result, const Words& a, const Words& b, bool is_signed) {
  const ir::Modifier unsigned_words = ir::Modifier::IntTypeU32;
  const Words x{builder.in_register(a.low), builder.in_register(a.high)};
  const Words y{builder.in_register(b.low), builder.in_register(b.high)};
  const ir::RegisterIndex low = builder.fresh(2);
  const ir::RegisterIndex first = builder.fresh(2);
  const ir::RegisterIndex second = builder.fresh(2);
  const ir::RegisterIndex high = builder.fresh(2);
  // Each sum of a product of words and a word fits 64 bits.
  builder.emit(Opcode::ImadWide, {reg(low), always(), x.low, y.low, zero()}, {unsigned_words});
  builder.emit(Opcode::ImadWide,
               {reg(first), always(), x.high, y.low, builder.in_pair({reg(low + 1), zero()})},
               {unsigned_words});
  builder.emit(Opcode::ImadWide,
               {reg(second), always(), x.low, y.high, builder.in_pair({reg(first), zero()})},
               {unsigned_words});
  builder.emit(Opcode::ImadWide,
               {reg(high), always(), x.high, y.high, builder.in_pair({reg(first + 1), zero()})},
               {unsigned_words});
  Words sum{reg(builder.fresh()), reg(builder.fresh())};
  add_words(builder, sum, {reg(high), reg(high + 1)}, {reg(second + 1), zero()});
  if (is_signed) {
    // A negative factor counted as 2^64 more than it is.
    for (const auto& [factor, other] : {std::pair{x, y}, std::pair{y, x}}) {
      const Operand sign = reg(builder.fresh());
      const Words part{reg(builder.fresh()), reg(builder.fresh())};
      const Words next{reg(builder.fresh()), reg(builder.fresh())};
      builder.emit(Opcode::Shf, {sign, zero(), number(31), factor.high},
                   {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeS32, ir::Modifier::HalfHigh});
      builder.emit(Opcode::Lop3, {always(), part.low, sign, other.low, zero(), number(0xc0), never()},
                   {ir::Modifier::LutLut});
      builder.emit(Opcode::Lop3, {always(), part.high, sign, other.high, zero(), number(0xc0), never()},
                   {ir::Modifier::LutLut});
      subtract_words(builder, next, sum, part);
      sum = next;
    }
  }
  builder.move(result.low.index, sum.low);
  builder.move(result.high.index, sum.high);
}

}  // namespace heddle::lower
