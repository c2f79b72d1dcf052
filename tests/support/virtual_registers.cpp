#include "tests/support/virtual_registers.h"

#include <algorithm>

#include "isa/lower/allocate_rename.h"

namespace heddle::test {

namespace {

using ir::RegisterFile;

bool reads_stack(const ir::Kernel& kernel) {
  const std::uint32_t stack = ir::launch_bank_layout(kernel.param_base).stack;
  return std::any_of(
      kernel.instructions.begin(), kernel.instructions.end(), [&](const ir::Instruction& each) {
        return std::any_of(each.operands.begin(), each.operands.end(), [&](const ir::Operand& operand) {
          return operand.kind == ir::Operand::Kind::Constant && operand.bank == ir::kLaunchBank &&
                 operand.value == stack;
        });
      });
}

bool has_mask(const ir::Kernel& kernel, ir::OperandRole role) {
  return std::any_of(
      kernel.instructions.begin(), kernel.instructions.end(), [&](const ir::Instruction& each) {
        const ir::OpcodeInfo& row = ir::info(each.opcode);
        return std::find(row.operands.begin(), row.operands.begin() + row.operand_count, role) !=
               row.operands.begin() + row.operand_count;
      });
}

}  // namespace

ir::Kernel with_virtual_registers(ir::Kernel kernel) {
  constexpr ir::RegisterIndex kStackPointer = 1;
  const bool has_stack = reads_stack(kernel);
  const bool has_predicate_mask = has_mask(kernel, ir::OperandRole::AllPreds);
  const bool has_uniform_mask = has_mask(kernel, ir::OperandRole::AllUniformPreds);
  const auto rename = [&](RegisterFile file, ir::RegisterIndex& index, unsigned, bool) {
    switch (file) {
      case RegisterFile::General:
        if (!has_stack || index != kStackPointer) index += ir::kFirstVirtual;
        break;
      case RegisterFile::Uniform:
        index += ir::kFirstVirtual;
        break;
      case RegisterFile::Predicate:
        if (!has_predicate_mask) index += ir::kFirstVirtual;
        break;
      case RegisterFile::UniformPredicate:
        if (!has_uniform_mask) index += ir::kFirstVirtualUniformPredicate - ir::kFirstUniformPredicate;
        break;
    }
  };
  for (ir::Instruction& instruction : kernel.instructions) {
    for (ir::Operand& operand : instruction.operands) operand.reuse = false;
    lower::for_each_register_name(instruction, rename);
  }
  kernel.banked = false;
  return kernel;
}

bool has_virtual_registers(const ir::Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const ir::Instruction& each) { return ir::has_virtual_registers(each); });
}

}  // namespace heddle::test
