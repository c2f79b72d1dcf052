#include "isa/lower/zeros.h"

#include <algorithm>
#include <vector>

#include "isa/ir/operand_rules.h"
#include "isa/ir/registers.h"

namespace heddle::lower {

namespace {

bool is_plain_zero(const ir::Operand& operand) {
  return operand.kind == ir::Operand::Kind::Register && operand.index == ir::kRegisterZero;
}

bool is_zero_move(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::Mov && instruction.guard.always() &&
         is_plain_zero(instruction.operands[1]);
}

/// By virtual register: whether it is always zero.
std::vector<bool> find_zeros(const ir::Kernel& kernel) {
  std::vector<bool> is_zero;
  std::vector<unsigned> writes;
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      const bool is_written = run.use == ir::RegisterRun::Use::Written;
      if (run.file != ir::RegisterFile::General || !is_written || !ir::is_virtual(run.first)) continue;
      const std::size_t first = run.first - ir::kFirstVirtual;
      const std::size_t size = std::max(writes.size(), first + run.count);
      writes.resize(size);
      is_zero.resize(size);
      for (std::size_t i = first; i < first + run.count; ++i)
        is_zero[i] = ++writes[i] == 1 && is_zero_move(instruction);
    }
  }
  return is_zero;
}

bool is_source(ir::OperandRole role) {
  return !ir::is_written_register(role) && !ir::is_written_predicate(role);
}

/// A sum of one number, without carries, is a MOV.
void shorten_sum(ir::Instruction& instruction) {
  if (instruction.opcode != ir::Opcode::Iadd3) return;
  const auto sources = instruction.operands.begin() + 3;
  const bool has_carries = !ir::is_true_predicate(instruction.operands[1].index) ||
                           !ir::is_true_predicate(instruction.operands[2].index);
  const auto only = std::find_if_not(sources, sources + 3, is_plain_zero);
  if (has_carries || only == sources + 3 || only->kind != ir::Operand::Kind::Register || only->negated)
    return;
  if (std::count_if(sources, sources + 3, is_plain_zero) != 2) return;
  ir::Instruction move;
  move.opcode = ir::Opcode::Mov;
  move.guard = instruction.guard;
  move.line = instruction.line;
  move.operands[0] = instruction.operands[0];
  move.operands[1] = *only;
  instruction = move;
}

}  // namespace

void forward_zeros(ir::Kernel& kernel) {
  const std::vector<bool> is_zero = find_zeros(kernel);
  for (ir::Instruction& instruction : kernel.instructions) {
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    if (row.action != ir::Action::Lanes) continue;
    for (unsigned place = 0; place < row.operand_count; ++place) {
      ir::Operand& operand = instruction.operands[place];
      if (operand.kind != ir::Operand::Kind::Register || !ir::is_virtual(operand.index)) continue;
      if (!is_source(row.operands[place]) || ir::operand_width(instruction, row.operands[place]) != 1)
        continue;
      const std::size_t index = operand.index - ir::kFirstVirtual;
      if (index < is_zero.size() && is_zero[index]) operand.index = ir::kRegisterZero;
    }
    shorten_sum(instruction);
  }
}

}  // namespace heddle::lower
