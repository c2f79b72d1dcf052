#include "sim/sm/register_file.h"

#include <algorithm>

namespace heddle::sim {

namespace {

constexpr std::uint16_t kNothing = 0;

constexpr std::uint16_t name_of(unsigned warp, std::uint8_t index) {
  return static_cast<std::uint16_t>((warp + 1) << 8 | index);
}

}  // namespace

RegisterFile::RegisterFile(const RegisterFileSpec& spec) : window_(spec.read_window), banks_(spec.banks) {}

Cycle RegisterFile::read(unsigned warp, const stream::RegisterReads& reads, Cycle now) {
  if (banks_.empty()) return 0;
  Cycle done = now;
  for (unsigned i = 0; i < kOperands; ++i) {
    const std::uint8_t index = reads.registers[i];
    if (index == ir::kRegisterZero) continue;
    Bank& bank = banks_[index % banks_.size()];
    if (!needs_port(bank, i, warp, reads)) continue;
    bank.free_at = std::max(bank.free_at, now) + 1;
    done = std::max(done, bank.free_at);
  }
  return done > now + window_ ? done - now - window_ : 0;
}

/// A register that the instruction names twice is read once. Whatever the outcome, the operand slot of the
/// bank holds from now on what this instruction keeps, or nothing.
bool RegisterFile::needs_port(Bank& bank, unsigned operand, unsigned warp,
                              const stream::RegisterReads& reads) {
  const std::uint16_t name = name_of(warp, reads.registers[operand]);
  const bool is_kept = bank.kept[operand] == name;
  const bool keeps = (reads.kept >> operand & 1U) != 0;
  bank.kept[operand] = keeps ? name : kNothing;
  const auto* const end = reads.registers.begin() + operand;
  return !is_kept && std::find(reads.registers.begin(), end, reads.registers[operand]) == end;
}

}  // namespace heddle::sim
