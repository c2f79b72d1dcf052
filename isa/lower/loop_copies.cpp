#include "isa/lower/loop_copies.h"

#include <algorithm>

#include "isa/lower/ptx_statements.h"
#include "isa/lower/values.h"

namespace heddle::lower {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using Kind = ptx::Operand::Kind;

namespace {

/// Whether the operand, if it is written, replaces what the registers held.
bool replaces(const Instruction& instruction, const ptx::Operand& operand) {
  return instruction.guard.reg == ptx::kNone && operand.element == ptx::Operand::kWhole &&
         operand.selector.unit == 0;
}

}  // namespace

LoopCopies::LoopCopies(ptx::Function& function, const LoopFinder& finder, const CountedLoop& loop)
    : function_(function),
      loop_(loop),
      body_(function.body.begin() + loop.begin, function.body.begin() + loop.end) {
  std::map<std::uint32_t, std::uint32_t> named;
  for (std::uint32_t at = 0; at < body_.size(); ++at) {
    const Instruction& instruction = body_[at];
    if (instruction.guard.reg != ptx::kNone) ++named[instruction.guard.reg];
    const std::vector<std::size_t> written = written_operands(instruction);
    // What is read before it is written comes from the round before.
    const auto is_written = [&](std::size_t place) {
      return std::find(written.begin(), written.end(), place) != written.end();
    };
    if (instruction.guard.reg != ptx::kNone) is_own_.try_emplace(instruction.guard.reg, false);
    for (std::size_t place = 0; place < instruction.operands.size(); ++place) {
      each_register(instruction.operands[place], [&](std::uint32_t reg) {
        ++named[reg];
        if (!is_written(place)) is_own_.try_emplace(reg, false);
      });
    }
    for (const std::size_t place : written) {
      const ptx::Operand& operand = instruction.operands[place];
      each_register(operand, [&](std::uint32_t reg) {
        is_own_.try_emplace(reg, replaces(instruction, operand));
        if (replaces(instruction, operand)) last_write_[reg] = at;
      });
    }
  }
  for (auto& [reg, is_own] : is_own_) is_own = is_own && named[reg] == finder.uses(reg);
}

void LoopCopies::begin_group() {
  names_.clear();
  ahead_.clear();
  sums_.clear();
}

void LoopCopies::append(std::vector<Instruction>& to, std::uint32_t rounds) {
  begin_group();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t at = 0; at < body_.size(); ++at) {
      if (loop_.begin + at != loop_.compare) copy(to, at, round + 1 == rounds);
    }
  }
}

std::uint32_t LoopCopies::fresh(std::uint32_t like) {
  function_.registers.push_back(function_.registers[like]);
  return static_cast<std::uint32_t>(function_.registers.size() - 1);
}

std::uint32_t LoopCopies::current(std::uint32_t reg) const {
  const auto found = names_.find(reg);
  return found == names_.end() ? reg : found->second;
}

/// The register that holds what an advancing one would hold now.
std::uint32_t LoopCopies::advanced(std::vector<Instruction>& to, const Instruction& like, std::uint32_t reg) {
  const std::int64_t ahead = ahead_[reg];
  if (ahead == 0) return reg;
  const auto found = sums_.find(reg);
  if (found != sums_.end() && found->second.first == ahead) return found->second.second;
  const std::uint32_t sum = fresh(reg);
  const bool is_wide = ptx::info(function_.registers[reg].type).bits == 64;
  to.push_back(Statements(like).make(Opcode::Add, {is_wide ? Modifier::S64 : Modifier::S32},
                                     {register_operand(sum), register_operand(reg),
                                      number_operand(static_cast<std::uint64_t>(ahead))}));
  to.back().operands[2].is_negative = ahead < 0;
  sums_[reg] = {ahead, sum};
  return sum;
}

void LoopCopies::rename_read(std::vector<Instruction>& to, const Instruction& like, ptx::Operand& operand) {
  for (ptx::Operand& element : operand.elements) rename_read(to, like, element);
  if (operand.reg == ptx::kNone) return;
  if (!loop_.advancing.contains(operand.reg)) {
    operand.reg = current(operand.reg);
    return;
  }
  if (operand.kind == Kind::Address) {
    operand.bits += static_cast<std::uint64_t>(ahead_[operand.reg]);
  } else {
    operand.reg = advanced(to, like, operand.reg);
  }
}

void LoopCopies::rename_written(ptx::Operand& operand, std::uint32_t at, bool is_last) {
  for (ptx::Operand& element : operand.elements) rename_written(element, at, is_last);
  if (operand.reg == ptx::kNone) return;
  const std::uint32_t reg = operand.reg;
  const bool is_result = is_last && !is_own_.at(reg) && last_write_.at(reg) == at;
  names_[reg] = is_result ? reg : fresh(reg);
  operand.reg = names_[reg];
}

/// All copies together advance a register in the last one.
void LoopCopies::advance(std::vector<Instruction>& to, std::uint32_t at, bool is_last) {
  const std::uint32_t reg = body_[at].operands[0].reg;
  std::int64_t& ahead = ahead_[reg];
  ahead += loop_.advancing.at(reg).step;
  if (!is_last) return;
  const bool is_wide = ptx::info(function_.registers[reg].type).bits == 64;
  to.push_back(Statements(body_[at]).make(
      Opcode::Add, {is_wide ? Modifier::S64 : Modifier::S32},
      {register_operand(reg), register_operand(reg), number_operand(static_cast<std::uint64_t>(ahead))}));
  to.back().operands[2].is_negative = ahead < 0;
  ahead = 0;
  sums_.erase(reg);
}

void LoopCopies::copy(std::vector<Instruction>& to, std::uint32_t at, bool is_last) {
  const Instruction& from = body_[at];
  if (from.operands.size() == 3 && from.operands[0].kind == Kind::Register) {
    const auto found = loop_.advancing.find(from.operands[0].reg);
    if (found != loop_.advancing.end() && found->second.at == loop_.begin + at)
      return advance(to, at, is_last);
  }
  Instruction made = from;
  const std::vector<std::size_t> written = written_operands(from);
  if (made.guard.reg != ptx::kNone) made.guard.reg = current(made.guard.reg);
  for (std::size_t place = 0; place < made.operands.size(); ++place) {
    if (std::find(written.begin(), written.end(), place) == written.end())
      rename_read(to, from, made.operands[place]);
  }
  for (const std::size_t place : written) {
    ptx::Operand& operand = made.operands[place];
    if (replaces(from, operand)) {
      rename_written(operand, at, is_last);
    } else {
      rename_read(to, from, operand);
    }
  }
  to.push_back(std::move(made));
}

}  // namespace heddle::lower
