#include "isa/lower/ptx_flow.h"

#include <algorithm>

#include "isa/lower/values.h"

namespace heddle::lower {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

bool ends_path(const ptx::Instruction& instruction) {
  if (instruction.guard.reg != ptx::kNone) return false;
  return instruction.opcode == Opcode::Bra || instruction.opcode == Opcode::BrxIdx ||
         instruction.opcode == Opcode::Ret || instruction.opcode == Opcode::Exit;
}

std::vector<std::uint32_t> targets_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (instruction.opcode == Opcode::Bra) return {instruction.operands[0].index};
  if (instruction.opcode != Opcode::BrxIdx) return {};
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::BranchTable) return function.branch_tables[operand.index].targets;
  }
  return {};
}

namespace {

template <typename Visit>
void each_named(const ptx::Instruction& instruction, Visit visit) {
  if (instruction.guard.reg != ptx::kNone) visit(instruction.guard.reg);
  for (const ptx::Operand& operand : instruction.operands) each_register(operand, visit);
}

bool is_written(const std::vector<std::size_t>& written, std::size_t place) {
  return std::find(written.begin(), written.end(), place) != written.end();
}

}  // namespace

Liveness::Liveness(const ptx::Function& function, std::uint32_t begin, std::uint32_t end)
    : function_(function), begin_(begin), end_(end) {
  std::uint32_t last = 0;
  for (std::uint32_t at = begin; at < end; ++at) {
    each_named(function.body[at], [&](std::uint32_t reg) {
      first_ = std::min(first_, reg);
      last = std::max(last, reg + 1);
    });
  }
  registers_ = first_ == ptx::kNone ? 0 : last - first_;
  before_.assign(end - begin, Set(registers_));
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t at = end; at-- > begin;) changes |= update(at);
  }
}

Liveness::Set Liveness::live_behind(std::uint32_t at) const {
  Set live(registers_);
  const auto add = [&](std::uint32_t next) {
    if (next < begin_ || next >= end_) return;
    for (std::uint32_t i = 0; i < registers_; ++i) live[i] = live[i] || before_[next - begin_][i];
  };
  const ptx::Instruction& instruction = function_.body[at];
  if (!ends_path(instruction)) add(at + 1);
  for (const std::uint32_t next : targets_of(function_, instruction)) add(next);
  return live;
}

bool Liveness::update(std::uint32_t at) {
  Set live = live_behind(at);
  const ptx::Instruction& instruction = function_.body[at];
  const std::vector<std::size_t> written = written_operands(instruction);
  const bool always = instruction.guard.reg == ptx::kNone;
  for (const std::size_t place : written) {
    const ptx::Operand& operand = instruction.operands[place];
    const bool is_whole = operand.element == ptx::Operand::kWhole && operand.selector.unit == 0;
    if (always && is_whole) each_register(operand, [&](std::uint32_t reg) { live[reg - first_] = false; });
  }
  if (!always) live[instruction.guard.reg - first_] = true;
  for (std::size_t place = 0; place < instruction.operands.size(); ++place) {
    if (is_written(written, place)) continue;
    each_register(instruction.operands[place], [&](std::uint32_t reg) { live[reg - first_] = true; });
  }
  if (live == before_[at - begin_]) return false;
  before_[at - begin_] = std::move(live);
  return true;
}

std::vector<std::uint32_t> Liveness::behind(std::uint32_t at) const {
  std::vector<std::uint32_t> list;
  const Set live = live_behind(at);
  for (std::uint32_t i = 0; i < registers_; ++i) {
    if (live[i]) list.push_back(first_ + i);
  }
  return list;
}

}  // namespace heddle::lower
