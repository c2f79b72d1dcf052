// Comparisons of integers, and choices.
#include <optional>

#include "isa/lower/comparison.h"
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

/// How integers are compared; .lo to .hs are comparisons without a sign.
struct IntegerComparison {
  ir::Modifier how;
  bool is_unsigned;
};

IntegerComparison integer_comparison(const ptx::Instruction& instruction) {
  for (const Modifier modifier : instruction.modifiers) {
    switch (modifier) {
      case Modifier::Eq:
        return {ir::Modifier::CompareEq, false};
      case Modifier::Ne:
        return {ir::Modifier::CompareNe, false};
      case Modifier::Lt:
        return {ir::Modifier::CompareLt, false};
      case Modifier::Le:
        return {ir::Modifier::CompareLe, false};
      case Modifier::Gt:
        return {ir::Modifier::CompareGt, false};
      case Modifier::Ge:
        return {ir::Modifier::CompareGe, false};
      case Modifier::Lo:
        return {ir::Modifier::CompareLt, true};
      case Modifier::Ls:
        return {ir::Modifier::CompareLe, true};
      case Modifier::Hi:
        return {ir::Modifier::CompareGt, true};
      case Modifier::Hs:
        return {ir::Modifier::CompareGe, true};
      default:
        break;
    }
  }
  Selection::refuse(instruction);
}

/// p and q of a comparison of a and b, combined with the predicate.
void compare(Selection& s, const ptx::Instruction& instruction, Modifier type, std::size_t first,
             const Operand& p, const Operand& q, const Operand& other) {
  const auto [how, is_unsigned] = integer_comparison(instruction);
  const ir::Modifier kind =
      is_unsigned || !is_signed(type) ? ir::Modifier::IntTypeU32 : ir::Modifier::IntTypeS32;
  const ir::Modifier combine = boolean_of(instruction);
  const ptx::Operand& a = instruction.operands[first];
  const ptx::Operand& b = instruction.operands[first + 1];
  if (bits_of(type) <= 32) {
    const bool has_sign = kind == ir::Modifier::IntTypeS32;
    s.emit(Opcode::Isetp,
           {p, q, s.extended(a, bits_of(type), has_sign), s.extended(b, bits_of(type), has_sign), other,
            never()},
           {how, kind, combine});
    return;
  }
  const Words x = s.words(a);
  const Words y = s.words(b);
  const Operand low = pred(s.builder.fresh_predicate());
  s.emit(Opcode::Isetp, {low, always(), x.low, y.low, always(), never()},
         {how, ir::Modifier::IntTypeU32, ir::Modifier::BoolAnd});
  s.emit(Opcode::Isetp, {p, q, x.high, y.high, other, low}, {how, kind, combine, ir::Modifier::HighWordEx});
}

}  // namespace

ir::Modifier boolean_of(const ptx::Instruction& instruction) {
  if (instruction.has(Modifier::Or)) return ir::Modifier::BoolOr;
  return instruction.has(Modifier::Xor) ? ir::Modifier::BoolXor : ir::Modifier::BoolAnd;
}

PredicateResults predicate_results(Selection& s, const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::Pair) return {s.predicate_result(operand), always()};
  return {s.predicate_result(operand.elements[0]), s.predicate_result(operand.elements[1])};
}

void select_setp(Selection& s, const ptx::Instruction& instruction) {
  const Modifier type = instruction.type();
  if (is_float(type)) return select_float_setp(s, instruction);
  const auto [p, q] = predicate_results(s, instruction.operands[0]);
  const Operand other = instruction.operands.size() > 3 ? s.predicate(instruction.operands[3]) : always();
  compare(s, instruction, type, 1, p, q, other);
}

void select_set(Selection& s, const ptx::Instruction& instruction) {
  const Modifier to_type = instruction.type(0);
  const Modifier type = instruction.type(1);
  if (is_float(type)) return select_float_set(s, instruction);
  if (to_type != Modifier::U32 && to_type != Modifier::S32 && to_type != Modifier::F32)
    Selection::refuse(instruction);
  const Operand holds = pred(s.builder.fresh_predicate());
  const Operand other = instruction.operands.size() > 3 ? s.predicate(instruction.operands[3]) : always();
  compare(s, instruction, type, 1, holds, always(), other);
  constexpr std::uint32_t kOne = 0x3f800000;
  s.emit(Opcode::Sel, {s.result(instruction.operands[0]), zero(),
                       number(to_type == Modifier::F32 ? kOne : 0xffffffffU), negative(holds)});
}

void select_selp(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const Operand holds = s.predicate(operands[3]);
  const auto choose = [&](const Operand& to, Operand a, Operand b) {
    const bool swaps = !is_register(a) && is_register(b);
    if (swaps) std::swap(a, b);
    s.emit(Opcode::Sel, {to, a, b, swaps ? negative(holds) : holds});
  };
  const auto bits_in = [&](const ptx::Operand& operand) {
    const auto value = number_of(operand, 32);
    return value ? number(*value) : s.source(operand);
  };
  if (bits_of(instruction.type()) <= 32)
    return choose(s.result(operands[0]), bits_in(operands[1]), bits_in(operands[2]));
  const Words to = s.word_results(operands[0]);
  const Words a = s.words(operands[1]);
  const Words b = s.words(operands[2]);
  choose(to.low, a.low, b.low);
  choose(to.high, a.high, b.high);
}

void select_slct(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const Operand takes_a = pred(s.builder.fresh_predicate());
  const Operand decides = s.source(operands[3]);
  if (instruction.type(1) == Modifier::F32) {
    if (instruction.has(Modifier::Ftz)) {
      s.emit(Opcode::Fsetp, {takes_a, always(), decides, zero(), always()},
             {ir::Modifier::CompareGe, ir::Modifier::FlushFtz, ir::Modifier::BoolAnd});
    } else {
      s.emit(Opcode::Fsetp, {takes_a, always(), decides, zero(), always()},
             {ir::Modifier::CompareGe, ir::Modifier::BoolAnd});
    }
  } else {
    s.emit(Opcode::Isetp, {takes_a, always(), decides, zero(), always(), never()},
           {ir::Modifier::CompareGe, ir::Modifier::IntTypeS32, ir::Modifier::BoolAnd});
  }
  if (bits_of(instruction.type()) <= 32) {
    s.emit(Opcode::Sel, {s.result(operands[0]), s.source(operands[1]), s.source(operands[2]), takes_a});
    return;
  }
  const Words to = s.word_results(operands[0]);
  const Words a = s.words(operands[1]);
  const Words b = s.words(operands[2]);
  s.emit(Opcode::Sel, {to.low, s.builder.in_register(a.low), b.low, takes_a});
  s.emit(Opcode::Sel, {to.high, s.builder.in_register(a.high), b.high, takes_a});
}

}  // namespace heddle::lower
