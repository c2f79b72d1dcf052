// The functions that follow behind a kernel's body (link_calls.h), and which of them are recursive.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/cfg/components.h"
#include "isa/ptx/function.h"

namespace heddle::lower {

/// Their parts of the body, in its order; the kernel is function 0.
class LinkedFunctions {
 public:
  explicit LinkedFunctions(const ptx::Function& function);

  /// From the first instruction to behind the last one.
  struct Part {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  /// The function that a call leads to.
  [[nodiscard]] std::uint32_t callee(const ptx::Instruction& call) const;
  [[nodiscard]] bool is_recursive(std::uint32_t function) const {
    return cycles_.is_cycle[cycles_.of[function]];
  }
  /// Whether a call of the one by the other can lead back to the other.
  [[nodiscard]] bool are_recursive(std::uint32_t one, std::uint32_t other) const {
    return cycles_.of[one] == cycles_.of[other];
  }

 private:
  std::vector<Part> parts_;
  cfg::Components cycles_;
};

}  // namespace heddle::lower
