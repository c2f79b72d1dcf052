// AND, OR, XOR and NOT of words and of predicates.
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;

// Truth tables of three operands: bit 4a + 2b + c of the table is the result.
constexpr std::uint8_t kA = 0xf0;
constexpr std::uint8_t kB = 0xcc;
constexpr std::uint8_t kC = 0xaa;

std::uint8_t table_of(ptx::Opcode opcode) {
  switch (opcode) {
    case ptx::Opcode::And:
      return kA & kB;
    case ptx::Opcode::Or:
      return kA | kB;
    default:
      return kA ^ kB;
  }
}

void emit_lop3(Selection& s, const Operand& to, const Operand& a, const Operand& b, const Operand& c,
               std::uint8_t table) {
  s.emit(Opcode::Lop3, {always(), to, a, b, c, number(table), never()}, {ir::Modifier::LutLut});
}

void combine_words(Selection& s, const Operand& to, Operand a, Operand b, std::uint8_t table) {
  put_register_first(a, b);
  emit_lop3(s, to, a, b, zero(), table);
}

/// Emits the PLOP3 of two predicates; the third one is PT.
void combine_predicates(Selection& s, const Operand& to, const Operand& a, const Operand& b, unsigned table) {
  s.emit(Opcode::Plop3, {to, always(), a, b, always(), number(table & kC), number(0)},
         {ir::Modifier::LutLut});
}

Modifier boolean_of(ptx::Opcode opcode) {
  if (opcode == ptx::Opcode::And) return Modifier::And;
  return opcode == ptx::Opcode::Or ? Modifier::Or : Modifier::Xor;
}

/// A comparison whose outcome nobody else wants combines it with the other predicate by itself.
bool combine_by_comparison(Selection& s, const ptx::Instruction& instruction, const ptx::Operand& outcome,
                           const ptx::Operand& other) {
  const ptx::Instruction* comparison = s.maker(outcome);
  if (comparison == nullptr || comparison->opcode != ptx::Opcode::Setp || comparison->operands.size() != 3 ||
      comparison->operands[0].kind != ptx::Operand::Kind::Register || outcome.negated ||
      s.values[outcome.reg].uses != 1 || !s.is_lasting(comparison->operands[1]) ||
      !s.is_lasting(comparison->operands[2]))
    return false;
  ptx::Instruction combined = *comparison;
  combined.operands[0] = instruction.operands[0];
  combined.operands.push_back(other);
  combined.modifiers.add(boolean_of(instruction.opcode));
  select_setp(s, combined);
  return true;
}

void select_predicate_logic(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (combine_by_comparison(s, instruction, operands[2], operands[1])) return;
  if (combine_by_comparison(s, instruction, operands[1], operands[2])) return;
  combine_predicates(s, s.predicate_result(operands[0]), s.predicate(operands[1]), s.predicate(operands[2]),
                     table_of(instruction.opcode));
}

}  // namespace

void select_logic(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const std::uint8_t table = table_of(instruction.opcode);
  if (instruction.type() == Modifier::Pred) return select_predicate_logic(s, instruction);
  if (bits_of(instruction.type()) <= 32) {
    return combine_words(s, s.result(operands[0]), s.source(operands[1]), s.source(operands[2]), table);
  }
  const Words to = s.word_results(operands[0]);
  const Words a = s.words(operands[1]);
  const Words b = s.words(operands[2]);
  combine_words(s, to.low, a.low, b.low, table);
  combine_words(s, to.high, a.high, b.high, table);
}

void select_not(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (instruction.type() == Modifier::Pred) {
    return combine_predicates(s, s.predicate_result(operands[0]), negative(s.predicate(operands[1])),
                              always(), kA);
  }
  constexpr std::uint8_t kNotB = 0x33;
  if (bits_of(instruction.type()) <= 32) {
    return emit_lop3(s, s.result(operands[0]), zero(), s.source(operands[1]), zero(), kNotB);
  }
  const Words to = s.word_results(operands[0]);
  const Words value = s.words(operands[1]);
  emit_lop3(s, to.low, zero(), value.low, zero(), kNotB);
  emit_lop3(s, to.high, zero(), value.high, zero(), kNotB);
}

void select_lop3(Selection& s, const ptx::Instruction& instruction) {
  const bool has_predicate = instruction.has(Modifier::And) || instruction.has(Modifier::Or);
  const auto& operands = instruction.operands;
  if (has_predicate || operands.size() != 5) Selection::refuse(instruction);
  const auto table = number_of(operands[4], 8);
  if (!table) Selection::refuse(instruction, "the table is no number");
  emit_lop3(s, s.result(operands[0]), s.source(operands[1]), s.source(operands[2]), s.source(operands[3]),
            static_cast<std::uint8_t>(*table));
}

void select_cnot(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const unsigned bits = bits_of(instruction.type());
  const Operand is_nothing = pred(s.builder.fresh_predicate());
  Operand value = zero();
  if (bits <= 32) {
    value = s.extended(operands[1], bits, false);
  } else {
    const Words words = s.words(operands[1]);
    value = reg(s.builder.fresh());
    combine_words(s, value, words.low, words.high, kA | kB);
  }
  s.emit(Opcode::Isetp, {is_nothing, always(), value, zero(), always(), never()},
         {ir::Modifier::CompareEq, ir::Modifier::IntTypeU32, ir::Modifier::BoolAnd});
  if (bits <= 32) {
    s.emit(Opcode::Sel, {s.result(operands[0]), zero(), number(1), negative(is_nothing)});
    return;
  }
  const Words to = s.word_results(operands[0]);
  s.emit(Opcode::Sel, {to.low, zero(), number(1), negative(is_nothing)});
  s.builder.move(to.high.index, zero());
}

}  // namespace heddle::lower
