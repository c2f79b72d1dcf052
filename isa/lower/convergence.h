// Where the lanes of a warp are together, so that instructions of the whole warp need not gather them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Knows the jumps of a function's text. What it does not know to be convergent may be so all the same.
class Convergence {
 public:
  explicit Convergence(const ptx::Function& function);

  /// Whether all lanes that have not exited come to the instruction together, and once only.
  [[nodiscard]] bool is_convergent(const ptx::Instruction& instruction) const;

  /// Whether the lanes of the mask must be gathered in front of the instruction. Not where they are together, or
  /// where another instruction of the same block has gathered them. The mask is a number, or a register that is
  /// written once; otherwise it is nothing.
  bool must_gather(const ptx::Instruction& instruction, const std::optional<std::uint64_t>& mask);

 private:
  [[nodiscard]] std::optional<std::uint32_t> place_of(const ptx::Instruction& instruction) const;

  const ptx::Function& function_;
  std::vector<std::uint32_t> blocks_;  ///< By instruction: the number of its block in the order of the text.
  std::vector<bool> is_apart_;         ///< By instruction: some jump leads past it, or goes back over it.
  std::uint32_t gathered_block_ = ptx::kNone;
  std::uint64_t gathered_mask_ = 0;
};

}  // namespace heddle::lower
