// Short names for the operands of instructions that are made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "isa/ir/instruction.h"

namespace heddle::lower {

using ir::Operand;

inline Operand reg(ir::RegisterIndex index) { return {Operand::Kind::Register, index}; }
inline Operand zero() { return reg(ir::kRegisterZero); }
inline Operand pred(ir::RegisterIndex index, bool negated = false) {
  return {Operand::Kind::Predicate, index, negated};
}
inline Operand always() { return pred(ir::kPredicateTrue); }
inline Operand never() { return pred(ir::kPredicateTrue, true); }
inline Operand number(std::uint64_t bits) { return {Operand::Kind::Immediate, 0, false, false, bits}; }
inline Operand constant(std::uint8_t bank, std::uint64_t offset) {
  Operand made{Operand::Kind::Constant, 0, false, false, offset};
  made.bank = bank;
  return made;
}
inline Operand target(std::uint64_t pc) { return {Operand::Kind::Target, 0, false, false, pc}; }
inline Operand address(ir::RegisterIndex base, std::int64_t offset) {
  return {Operand::Kind::Address, base, false, false, static_cast<std::uint64_t>(offset)};
}
inline Operand negative(Operand operand) {
  operand.negated = !operand.negated;
  return operand;
}

inline bool is_register(const Operand& operand) { return operand.kind == Operand::Kind::Register; }
inline bool is_number(const Operand& operand) { return operand.kind == Operand::Kind::Immediate; }
inline bool is_zero(const Operand& operand) {
  return is_register(operand) ? operand.index == ir::kRegisterZero : is_number(operand) && operand.value == 0;
}

/// An instruction without guard and modifiers.
inline ir::Instruction instruction_of(ir::Opcode opcode, std::initializer_list<Operand> operands) {
  ir::Instruction made;
  made.opcode = opcode;
  std::copy(operands.begin(), operands.end(), made.operands.begin());
  return made;
}

/// Two operands of 32 bits that are one value of 64.
struct Words {
  Operand low;
  Operand high;
};

}  // namespace heddle::lower
