// Loops of a PTX function that count: one block that jumps back to itself while a register has not come to a
// limit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// How a loop's counter is compared with its limit where it goes on.
enum class GoesOn : std::uint8_t { Less, LessOrEqual, Greater, GreaterOrEqual, NotEqual };

/// A loop that goes on while its counter, `step` further than in the round before, is so to `limit`.
struct CountedLoop {
  std::uint32_t begin = 0;  ///< The first instruction of the body, where it jumps back to,
  std::uint32_t end = 0;    ///< and the branch that does.
  std::uint32_t compare = 0;  ///< Where the condition is computed,
  std::uint32_t advance = 0;  ///< and where the counter advances.
  std::uint32_t counter = 0;
  std::int64_t step = 0;
  ptx::Operand limit;
  GoesOn goes_on = GoesOn::NotEqual;
  ptx::Modifier type = ptx::Modifier::U32;  ///< The comparison's: s32, u32, s64 or u64.
  /// How often the body is executed, where counter and limit begin with numbers.
  std::optional<std::uint64_t> rounds;
  std::uint64_t first = 0;  ///< Where `rounds` is known: the counter before the first.
  /// Registers that a number is added to once in a round and nothing else changes, the counter among them:
  /// by how much, and where.
  struct Advance {
    std::int64_t step = 0;
    std::uint32_t at = 0;
  };
  std::map<std::uint32_t, Advance> advancing;

  /// Instructions of a round without those that advance, compare and jump.
  [[nodiscard]] std::uint32_t cost() const {
    return end - begin - 1 - static_cast<std::uint32_t>(advancing.size());
  }
};

/// What is looked up in a function for each of its loops.
class LoopFinder {
 public:
  explicit LoopFinder(const ptx::Function& function);

  /// The loops of one block in the order of the text, without those that may not be copied: for a .pragma
  /// "nounroll", or for instructions for which it matters which lanes come together.
  [[nodiscard]] std::vector<CountedLoop> find() const;
  /// How often a register is named in the whole function.
  [[nodiscard]] std::uint32_t uses(std::uint32_t reg) const { return uses_[reg]; }

 private:
  [[nodiscard]] std::optional<CountedLoop> loop_at(std::uint32_t branch) const;
  [[nodiscard]] bool is_plain(std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] bool has_condition(CountedLoop& loop) const;
  void find_advancing(CountedLoop& loop) const;
  void count_rounds(CountedLoop& loop) const;
  [[nodiscard]] std::optional<std::uint64_t> number_before(std::uint32_t begin, std::uint32_t reg) const;

  const ptx::Function& function_;
  std::vector<std::uint32_t> jumps_to_;  // by instruction
  std::vector<std::uint32_t> uses_;      // by register
  std::vector<bool> stays_rolled_;       // by instruction: whether a pragma says so
};

}  // namespace heddle::lower
