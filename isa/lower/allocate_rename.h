// Renames the registers of an instruction.
#pragma once

#include "isa/ir/registers.h"

namespace heddle::lower {

/// Calls visit(file, index, count, is_written) for each place where an instruction names a register, alone or
/// as the first of `count`; `index` may be changed. Predicates of a mask, RZ, URZ, PT and UPT are left out.
template <typename Visitor>
void for_each_register_name(ir::Instruction& instruction, Visitor visit) {
  using ir::RegisterFile;
  const auto general = [&](ir::RegisterIndex& index, unsigned count, bool is_written) {
    if (index != ir::kRegisterZero) visit(RegisterFile::General, index, count, is_written);
  };
  const auto uniform = [&](ir::RegisterIndex& index, unsigned count, bool is_written) {
    if (index != ir::kUniformZero) visit(RegisterFile::Uniform, index, count, is_written);
  };
  const auto predicate = [&](ir::RegisterIndex& index, bool is_written) {
    const bool is_uniform = ir::is_uniform_predicate(index);
    if (!ir::is_true_predicate(index))
      visit(is_uniform ? RegisterFile::UniformPredicate : RegisterFile::Predicate, index, 1U, is_written);
  };
  predicate(instruction.guard.predicate, false);
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  for (unsigned place = 0; place < row.operand_count; ++place) {
    ir::Operand& operand = instruction.operands[place];
    const ir::OperandRole role = row.operands[place];
    const bool is_written = ir::is_written_register(role) || ir::is_written_predicate(role);
    const bool is_mask = role == ir::OperandRole::AllPreds || role == ir::OperandRole::AllUniformPreds;
    const unsigned width = ir::operand_width(instruction, role);
    switch (operand.kind) {
      case ir::Operand::Kind::Register:
        general(operand.index, width, is_written);
        break;
      case ir::Operand::Kind::Uniform:
      case ir::Operand::Kind::Descriptors:
        uniform(operand.index, width, is_written);
        break;
      case ir::Operand::Kind::Address:
        general(operand.index, operand.is_narrow ? 1 : width, false);
        uniform(operand.uniform, width, false);
        break;
      case ir::Operand::Kind::IndexedConstant:
        general(operand.index, 1, false);
        uniform(operand.uniform, 1, false);
        break;
      case ir::Operand::Kind::Predicate:
        if (!is_mask) predicate(operand.index, is_written);
        break;
      default:
        break;
    }
  }
}

/// Calls rename(name, count, is_written) for those that are virtual, and puts the index that comes back in
/// their places.
template <typename Rename>
void rename_registers(ir::Instruction& instruction, Rename rename) {
  const auto change = [&](ir::RegisterFile file, ir::RegisterIndex& index, unsigned count, bool is_written) {
    if (ir::is_virtual(index)) index = rename(ir::RegisterName{file, index}, count, is_written);
  };
  for_each_register_name(instruction, change);
}

}  // namespace heddle::lower
