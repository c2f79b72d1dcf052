#include "isa/ir/registers.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::ir {

namespace {

using Use = RegisterRun::Use;

void add_general(RegisterRuns& runs, RegisterIndex first, unsigned width, Use use) {
  if (first == kRegisterZero || width == 0) return;
  runs.add({RegisterFile::General, use, false, static_cast<std::uint16_t>(width), first});
}

/// What lies past the last uniform register is URZ, or nothing.
void add_uniform(RegisterRuns& runs, RegisterIndex first, unsigned width, Use use) {
  if (!is_virtual(first))
    width = first > kMaxUniform ? 0 : std::min<unsigned>(width, kMaxUniform + 1U - first);
  if (width != 0) runs.add({RegisterFile::Uniform, use, false, static_cast<std::uint16_t>(width), first});
}

void add_predicate(RegisterRuns& runs, RegisterIndex predicate, Use use) {
  if (is_true_predicate(predicate)) return;
  const bool is_uniform = is_uniform_predicate(predicate);
  runs.add({is_uniform ? RegisterFile::UniformPredicate : RegisterFile::Predicate, use, false, 1, predicate});
}

/// The predicates, from `first` on, that the mask, the last operand, has.
void add_masked(RegisterRuns& runs, const Instruction& instruction, RegisterIndex first, Use use) {
  const std::uint64_t mask = instruction.operands[info(instruction.opcode).operand_count - 1].value;
  for (RegisterIndex i = 0; i < kPredicateTrue; ++i) {
    if ((mask >> i & 1) != 0) add_predicate(runs, first + i, use);
  }
}

void add_address(RegisterRuns& runs, const Instruction& instruction, std::size_t place) {
  const Operand& address = instruction.operands[place];
  const unsigned width = operand_width(instruction, info(instruction.opcode).operands[place]);
  add_general(runs, address.index, address.is_narrow ? 1 : width, Use::Read);
  add_uniform(runs, address.uniform, width, Use::Read);
}

/// C, if it is not left out, is where D is.
void add_sums(RegisterRuns& runs, const Instruction& instruction, const Operand& operand, Use use) {
  if (operand.index == kRegisterZero) return;
  const auto count = static_cast<std::uint16_t>(product_registers(instruction));
  runs.add({RegisterFile::General, use, true, count, operand.index});
}

/// !UPT behind a product's operands: nothing is added, C is not read.
bool leaves_out_sums(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (row.operands[i] == OperandRole::OptAdds) return operand.negated && is_true_predicate(operand.index);
  }
  return false;
}

void add_operand(RegisterRuns& runs, const Instruction& instruction, unsigned place) {
  const Operand& operand = instruction.operands[place];
  const OperandRole role = info(instruction.opcode).operands[place];
  const Use use = is_written_register(role) || is_written_predicate(role) ? Use::Written : Use::Read;
  if (role == OperandRole::DstSums) return add_sums(runs, instruction, operand, use);
  if (role == OperandRole::SrcSums) {
    if (!leaves_out_sums(instruction)) add_sums(runs, instruction, operand, use);
    return;
  }
  switch (operand.kind) {
    case Operand::Kind::Uniform:
    case Operand::Kind::Descriptors:
      return add_uniform(runs, operand.index, operand_width(instruction, role), use);
    case Operand::Kind::Address:
      return add_address(runs, instruction, place);
    case Operand::Kind::Register:
      return add_general(runs, operand.index, operand_width(instruction, role), use);
    case Operand::Kind::IndexedConstant:
      add_general(runs, operand.index, 1, use);
      return add_uniform(runs, operand.uniform, 1, use);
    case Operand::Kind::Predicate:
      if (role == OperandRole::AllPreds || role == OperandRole::AllUniformPreds) {
        const RegisterIndex first = role == OperandRole::AllPreds ? 0 : kFirstUniformPredicate;
        return add_masked(runs, instruction, first, place == 0 ? Use::Written : Use::Read);
      }
      return add_predicate(runs, operand.index, use);
    default:
      return;
  }
}

}  // namespace

std::string to_text(RegisterName name) {
  constexpr std::string_view kPrefixes[] = {"R", "UR", "P", "UP"};
  constexpr std::string_view kVirtualPrefixes[] = {"%r", "%ur", "%p", "%up"};
  const auto file = static_cast<std::size_t>(name.file);
  const bool is_uniform_predicate = name.file == RegisterFile::UniformPredicate;
  if (is_virtual(name.index)) {
    const RegisterIndex first = is_uniform_predicate ? kFirstVirtualUniformPredicate : kFirstVirtual;
    return fmt::format("{}{}", kVirtualPrefixes[file], name.index - first);
  }
  return fmt::format("{}{}", kPrefixes[file],
                     name.index - (is_uniform_predicate ? kFirstUniformPredicate : 0));
}

RegisterRuns registers_of(const Instruction& instruction) {
  RegisterRuns runs;
  add_predicate(runs, instruction.guard.predicate, Use::Guard);
  for (unsigned i = 0; i < info(instruction.opcode).operand_count; ++i) add_operand(runs, instruction, i);
  return runs;
}

RegisterRuns address_registers(const Instruction& instruction, std::size_t place) {
  RegisterRuns runs;
  add_address(runs, instruction, place);
  return runs;
}

bool has_virtual_registers(const Instruction& instruction) {
  const RegisterRuns runs = registers_of(instruction);
  return std::any_of(runs.begin(), runs.end(), [](const RegisterRun& run) { return is_virtual(run.first); });
}

}  // namespace heddle::ir
