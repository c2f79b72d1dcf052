// The functions that follow behind a kernel's body (link_calls.h), and which of them call each other.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Instructions of the body, and the functions that are called in them, by their places in the list.
struct LinkedFunction {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> reached;  ///< Over any number of calls.

  [[nodiscard]] bool reaches(std::uint32_t function) const;
};

/// The kernel comes first.
std::vector<LinkedFunction> linked_functions(const ptx::Function& function);

/// The place in the list of the function that begins at an instruction.
std::uint32_t function_at(const std::vector<LinkedFunction>& functions, std::uint32_t begin);

}  // namespace heddle::lower
