// Copies of a loop's body, one behind the other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "isa/lower/counted_loop.h"
#include "isa/ptx/function.h"

namespace heddle::lower {

/// Appends copies of a loop's body. What one round alone uses gets registers of its own in each copy, so that
/// the copies do not wait for each other. Registers that advance by a number do so once for all copies; what
/// lies at such an address is reached by an offset.
class LoopCopies {
 public:
  LoopCopies(ptx::Function& function, const LoopFinder& finder, const CountedLoop& loop);

  /// So many rounds, without comparison and branch.
  void append(std::vector<ptx::Instruction>& to, std::uint32_t rounds);

 private:
  void begin_group();
  void copy(std::vector<ptx::Instruction>& to, std::uint32_t at, bool is_last);
  void advance(std::vector<ptx::Instruction>& to, std::uint32_t at, bool is_last);
  void rename_read(std::vector<ptx::Instruction>& to, const ptx::Instruction& like, ptx::Operand& operand);
  void rename_written(ptx::Operand& operand, std::uint32_t at, bool is_last);
  std::uint32_t advanced(std::vector<ptx::Instruction>& to, const ptx::Instruction& like, std::uint32_t reg);
  [[nodiscard]] std::uint32_t current(std::uint32_t reg) const;
  std::uint32_t fresh(std::uint32_t like);

  ptx::Function& function_;
  const CountedLoop& loop_;
  std::vector<ptx::Instruction> body_;
  // By register of the body: where it is written last without a guard, and whether one round alone uses it.
  std::map<std::uint32_t, std::uint32_t> last_write_;
  std::map<std::uint32_t, bool> is_own_;
  // In the copies so far: what a register is called now; how far an advancing one should have come, and the
  // register that has come so far.
  std::map<std::uint32_t, std::uint32_t> names_;
  std::map<std::uint32_t, std::int64_t> ahead_;
  std::map<std::uint32_t, std::pair<std::int64_t, std::uint32_t>> sums_;
};

}  // namespace heddle::lower
