#include "isa/lower/append_function.h"

namespace heddle::lower {

using ptx::Operand;
using ptx::SymbolRef;
using Kind = Operand::Kind;

namespace {

template <typename Item>
std::uint32_t append(std::vector<Item>& to, const std::vector<Item>& from) {
  const auto first = static_cast<std::uint32_t>(to.size());
  to.insert(to.end(), from.begin(), from.end());
  return first;
}

}  // namespace

void Shift::apply(SymbolRef& symbol) const {
  switch (symbol.kind) {
    case SymbolRef::Kind::LocalVariable:
      symbol.index += variables;
      break;
    case SymbolRef::Kind::Parameter:
      if (parameters != nullptr) symbol = (*parameters)[symbol.index].symbol;
      break;
    case SymbolRef::Kind::Return:
      if (returns != nullptr) symbol = (*returns)[symbol.index].symbol;
      break;
    default:
      break;
  }
}

void Shift::apply(Operand& operand) const {
  if (operand.reg != ptx::kNone) operand.reg += registers;
  if (operand.kind == Kind::Label) operand.index += labels;
  if (operand.kind == Kind::BranchTable) operand.index += tables;
  apply(operand.symbol);
  for (Operand& element : operand.elements) apply(element);
}

void Shift::apply(ptx::Instruction& instruction) const {
  if (instruction.guard.reg != ptx::kNone) instruction.guard.reg += registers;
  for (Operand& operand : instruction.operands) apply(operand);
}

Shift append_declarations(ptx::Function& into, const ptx::Function& function) {
  Shift shift;
  shift.registers = append(into.registers, function.registers);
  shift.variables = append(into.variables, function.variables);
  shift.labels = static_cast<std::uint32_t>(into.body.size());
  shift.tables = static_cast<std::uint32_t>(into.branch_tables.size());
  return shift;
}

void append_tables(ptx::Function& into, const ptx::Function& function, const Shift& shift) {
  for (ptx::Pragma pragma : function.pragmas) {
    pragma.index += shift.labels;
    into.pragmas.push_back(std::move(pragma));
  }
  for (ptx::BranchTable table : function.branch_tables) {
    for (std::uint32_t& target : table.targets) target += shift.labels;
    into.branch_tables.push_back(std::move(table));
  }
}

std::uint32_t append_function(ptx::Function& into, const ptx::Function& function) {
  const Shift shift = append_declarations(into, function);
  append_tables(into, function, shift);
  const std::uint32_t lines = append(into.source_lines, function.source_lines);
  for (ptx::Instruction instruction : function.body) {
    shift.apply(instruction);
    if (instruction.source != ptx::kNone) instruction.source += lines;
    into.body.push_back(std::move(instruction));
  }
  return shift.labels;
}

}  // namespace heddle::lower
