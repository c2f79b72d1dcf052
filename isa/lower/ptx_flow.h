// Control flow and liveness of a PTX function's body, before instructions are selected.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Whether nothing goes on behind the instruction.
bool ends_path(const ptx::Instruction& instruction);

/// Where a branch leads, by index into the body; nothing for other instructions. A call is none.
std::vector<std::uint32_t> targets_of(const ptx::Function& function, const ptx::Instruction& instruction);

/// Which registers hold what is still read, in the part of a body from `begin` to `end` that control enters at
/// `begin` and that calls step over.
class Liveness {
 public:
  Liveness(const ptx::Function& function, std::uint32_t begin, std::uint32_t end);

  /// Behind the instruction: registers by their numbers, in order.
  [[nodiscard]] std::vector<std::uint32_t> behind(std::uint32_t at) const;

 private:
  using Set = std::vector<bool>;  // by register from first_ on

  bool update(std::uint32_t at);
  [[nodiscard]] Set live_behind(std::uint32_t at) const;

  const ptx::Function& function_;
  std::uint32_t begin_;
  std::uint32_t end_;
  std::uint32_t first_ = ptx::kNone;  // the lowest register that the part names
  std::uint32_t registers_ = 0;       // from there on
  std::vector<Set> before_;           // by instruction from begin_ on
};

}  // namespace heddle::lower
