#include "isa/lower/convergence.h"

#include <algorithm>
#include <functional>

namespace heddle::lower {

namespace {

using Kind = ptx::Operand::Kind;

std::vector<std::uint32_t> targets_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (instruction.opcode == ptx::Opcode::Bra && !instruction.operands.empty())
    return {instruction.operands[0].index};
  if (instruction.opcode != ptx::Opcode::BrxIdx) return {};
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::BranchTable) return function.branch_tables[operand.index].targets;
  }
  return {};
}

/// Lanes that go there are no longer waited for.
bool is_exit(const ptx::Function& function, std::uint32_t at) {
  if (!function.is_entry) return false;
  if (at >= function.body.size()) return true;
  const ptx::Instruction& instruction = function.body[at];
  const bool ends = instruction.opcode == ptx::Opcode::Ret || instruction.opcode == ptx::Opcode::Exit;
  return ends && instruction.guard.reg == ptx::kNone;
}

bool ends_block(ptx::Opcode opcode) {
  switch (opcode) {
    case ptx::Opcode::Bra:
    case ptx::Opcode::BrxIdx:
    case ptx::Opcode::Call:
    case ptx::Opcode::Ret:
    case ptx::Opcode::Exit: return true;
    default: return false;
  }
}

}  // namespace

Convergence::Convergence(const ptx::Function& function) : function_(function) {
  const std::size_t count = function.body.size();
  std::vector<bool> begins(count + 1, false);
  std::vector<int> changes(count + 2, 0);  // of the number of jumps over an instruction
  for (const ptx::Label& label : function.labels) begins[std::min<std::size_t>(label.index, count)] = true;
  for (std::uint32_t at = 0; at < count; ++at) {
    if (ends_block(function.body[at].opcode)) begins[at + 1] = true;
    for (const std::uint32_t target : targets_of(function, function.body[at])) {
      if (is_exit(function, target)) continue;
      const std::size_t to = std::min<std::size_t>(target, count);
      ++changes[std::min<std::size_t>(at + 1, to)];
      --changes[std::max<std::size_t>(at + 1, to)];
    }
  }
  std::uint32_t block = 0;
  int jumps = 0;
  for (std::size_t at = 0; at < count; ++at) {
    block += begins[at] ? 1 : 0;
    jumps += changes[at];
    blocks_.push_back(block);
    is_apart_.push_back(jumps != 0 || !function.is_entry);
  }
}

std::optional<std::uint32_t> Convergence::place_of(const ptx::Instruction& instruction) const {
  const ptx::Instruction* const first = function_.body.data();
  const std::less<const ptx::Instruction*> is_before;
  if (is_before(&instruction, first) || !is_before(&instruction, first + function_.body.size()))
    return std::nullopt;
  return static_cast<std::uint32_t>(&instruction - first);
}

bool Convergence::is_convergent(const ptx::Instruction& instruction) const {
  const auto at = place_of(instruction);
  return at && !is_apart_[*at];
}

bool Convergence::must_gather(const ptx::Instruction& instruction, const std::optional<std::uint64_t>& mask) {
  if (is_convergent(instruction)) return false;
  const auto at = place_of(instruction);
  if (!at || !mask || instruction.guard.reg != ptx::kNone) return true;
  if (blocks_[*at] == gathered_block_ && *mask == gathered_mask_) return false;
  gathered_block_ = blocks_[*at];
  gathered_mask_ = *mask;
  return true;
}

}  // namespace heddle::lower
