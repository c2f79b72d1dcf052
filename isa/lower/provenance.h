// Which memory a generic address can point to: what follows from how a function makes its addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// A set of state spaces.
struct Spaces {
  bool global = false;
  bool shared = false;
  bool local = false;
  bool constant = false;
  bool parameter = false;

  Spaces& operator|=(const Spaces& other) {
    global |= other.global;
    shared |= other.shared;
    local |= other.local;
    constant |= other.constant;
    parameter |= other.parameter;
    return *this;
  }
  friend bool operator==(const Spaces&, const Spaces&) = default;
};

/// Looks at all instructions, in whatever order they are executed. What is loaded from memory, and
/// parameters, can be a generic address of each space of which the function makes generic addresses, and of
/// global memory.
class Provenance {
 public:
  explicit Provenance(const ptx::Function& function);

  [[nodiscard]] const Spaces& of(std::uint32_t reg) const { return spaces_[reg]; }

 private:
  [[nodiscard]] Spaces made_by(const ptx::Instruction& instruction) const;
  [[nodiscard]] Spaces of(const ptx::Operand& operand) const;

  Spaces anything_;
  std::vector<Spaces> spaces_;
};

}  // namespace heddle::lower
