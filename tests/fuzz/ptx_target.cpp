// Whatever the bytes, PTX text is read or refused: it crashes nothing, hangs nowhere, and fills no memory.
// What was read holds together: each index names something.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "isa/base/diagnostic.h"
#include "isa/ptx/module.h"

namespace {

using namespace heddle;

void require(bool holds) {
  if (!holds) std::abort();
}

bool exists(const ptx::Module& module, const ptx::Function& function, ptx::SymbolRef symbol) {
  switch (symbol.kind) {
    case ptx::SymbolRef::Kind::None:
      return true;
    case ptx::SymbolRef::Kind::ModuleVariable:
      return symbol.index < module.variables.size();
    case ptx::SymbolRef::Kind::Parameter:
      return symbol.index < function.parameters.size();
    case ptx::SymbolRef::Kind::Return:
      return symbol.index < function.returns.size();
    case ptx::SymbolRef::Kind::LocalVariable:
      return symbol.index < function.variables.size();
    case ptx::SymbolRef::Kind::Function:
      return symbol.index < module.functions.size();
  }
  return false;
}

bool has_index(const ptx::Function& function, const ptx::Operand& operand) {
  switch (operand.kind) {
    case ptx::Operand::Kind::Label:
      return operand.index <= function.body.size();
    case ptx::Operand::Kind::BranchTable:
      return operand.index < function.branch_tables.size();
    case ptx::Operand::Kind::CallTable:
      return operand.index < function.call_tables.size();
    case ptx::Operand::Kind::Prototype:
      return operand.index < function.prototypes.size();
    default:
      return true;
  }
}

void check(const ptx::Module& module, const ptx::Function& function, const ptx::Operand& operand) {
  require(operand.reg == ptx::kNone || operand.reg < function.registers.size());
  require(exists(module, function, operand.symbol));
  require(has_index(function, operand));
  for (const ptx::Operand& each : operand.elements) check(module, function, each);
}

void check(const ptx::Module& module, const ptx::Function& function) {
  for (const ptx::Instruction& each : function.body) {
    require(each.guard.reg == ptx::kNone || each.guard.reg < function.registers.size());
    require(each.source == ptx::kNone || each.source < function.source_lines.size());
    for (const ptx::Operand& operand : each.operands) check(module, function, operand);
  }
  for (const ptx::BranchTable& table : function.branch_tables) {
    for (const std::uint32_t target : table.targets) require(target <= function.body.size());
  }
  for (std::size_t i = 0; i < function.source_lines.size(); ++i) {
    const std::uint32_t call = function.source_lines[i].inlined_at;
    require(call == ptx::kNone || call < i);  // so that each chain ends
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ptx::Module module = ptx::read_module({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
    for (const ptx::Function& each : module.functions) check(module, each);
  } catch (const InputError& error) {
    require(!error.list().empty());
  }
  return 0;
}
