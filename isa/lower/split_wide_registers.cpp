#include "isa/lower/split_wide_registers.h"

#include <algorithm>
#include <vector>

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

void split(Operand& operand, const std::vector<std::uint32_t>& upper) {
  if (operand.kind != Operand::Kind::Register || upper[operand.reg] == ptx::kNone) return;
  Operand low = operand;
  Operand high = operand;
  high.reg = upper[operand.reg];
  operand.kind = Operand::Kind::Vector;
  operand.reg = ptx::kNone;
  operand.elements = {std::move(low), std::move(high)};
}

void make_vector_access(Instruction& instruction) {
  ptx::ModifierList modifiers;
  for (const Modifier one : instruction.modifiers) {
    if (one == Modifier::B128) modifiers.add(Modifier::V2);
    modifiers.add(one == Modifier::B128 ? Modifier::B64 : one);
  }
  instruction.modifiers = modifiers;
}

}  // namespace

bool has_wide_registers(const ptx::Function& function) {
  return std::any_of(function.registers.begin(), function.registers.end(),
                     [](const ptx::Register& one) { return one.type == Modifier::B128; });
}

ptx::Function with_split_registers(const ptx::Function& from) {
  ptx::Function function = from;
  const std::size_t count = function.registers.size();
  std::vector<std::uint32_t> upper(count, ptx::kNone);
  for (std::size_t i = 0; i < count; ++i) {
    if (function.registers[i].type != Modifier::B128) continue;
    function.registers[i].type = Modifier::B64;
    upper[i] = static_cast<std::uint32_t>(function.registers.size());
    function.registers.push_back(function.registers[i]);
  }
  for (Instruction& instruction : function.body) {
    for (Operand& operand : instruction.operands) split(operand, upper);
    const bool is_access = instruction.opcode == Opcode::Ld || instruction.opcode == Opcode::St;
    if (is_access && instruction.has(Modifier::B128) && !instruction.modifiers.is_full())
      make_vector_access(instruction);
  }
  return function;
}

}  // namespace heddle::lower
