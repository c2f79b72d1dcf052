// Virtual registers that allocation itself needs.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "isa/lower/allocate_accesses.h"

namespace heddle::lower {

/// What becomes of a value that has no register.
enum class Lifetime : std::uint8_t {
  Long,
  Momentary,  ///< From one instruction to the next: it is not spilled again, which would be the same once
              ///< more.
};

/// Hands out virtual registers that the kernel does not have yet, and remembers which of them are momentary.
class Numbering {
 public:
  explicit Numbering(const ir::Kernel& kernel) {
    next_.fill(ir::kFirstVirtual);
    for (const ir::Instruction& instruction : kernel.instructions) {
      for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
        std::size_t& next = next_[static_cast<std::size_t>(run.file)];
        next = std::max(next, dense_index(run.file, run.first) + run.count);
      }
    }
    first_own_ = next_;
  }

  /// Makes `count` new virtual registers side by side; returns the first one.
  ir::RegisterIndex fresh(ir::RegisterFile file, unsigned count, Lifetime lifetime) {
    const auto f = static_cast<std::size_t>(file);
    const std::size_t first = next_[f];
    next_[f] += count;
    is_momentary_[f].resize(next_[f] - first_own_[f], lifetime == Lifetime::Momentary);
    return register_index(file, first);
  }

  [[nodiscard]] bool is_momentary(ir::RegisterName name) const {
    const auto f = static_cast<std::size_t>(name.file);
    const std::size_t dense = dense_index(name.file, name.index);
    return dense >= first_own_[f] && is_momentary_[f][dense - first_own_[f]];
  }

 private:
  std::array<std::size_t, kRegisterFiles> next_{};       // by file, dense
  std::array<std::size_t, kRegisterFiles> first_own_{};  // likewise
  std::array<std::vector<bool>, kRegisterFiles> is_momentary_;
};

}  // namespace heddle::lower
