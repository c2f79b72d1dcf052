// Whether an instruction is carried out by all lanes that come to it: it may stand under a guard, and control
// instructions may have a predicate among their operands, which must hold, too.
#pragma once

#include "isa/ir/instruction.h"

namespace heddle::ir {

/// Whether no operand says which lanes carry it out, or when.
inline bool has_no_condition(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (row.operands[i] == OperandRole::OptLaneMask) return false;
    const bool is_condition =
        row.operands[i] == OperandRole::OptCondition && operand.kind == Operand::Kind::Predicate;
    if (is_condition && !Guard{operand.index, operand.negated}.always()) return false;
  }
  return true;
}

/// Whether no lane that comes to it goes past it.
inline bool is_unconditional(const Instruction& instruction) {
  return instruction.guard.always() && has_no_condition(instruction);
}

/// Whether all lanes that come to it end there, or go on elsewhere and do not come back behind it: as a function must end.
inline bool ends_path(const Instruction& instruction) {
  const Action action = info(instruction.opcode).action;
  return is_unconditional(instruction) && (action == Action::Exit || action == Action::Branch ||
                                           action == Action::IndirectBranch || action == Action::Return);
}

}  // namespace heddle::ir
