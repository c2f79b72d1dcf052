// What is loaded together: functions, the variables that they share, and the source files that they were made
// from. Text, PTX and machine code fill it; nothing here knows of which of them it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ir/kernel.h"

namespace heddle::ir {

/// Where a variable of a module lies.
enum class VariableSpace : std::uint8_t {
  Global,    ///< __device__: all grids read and write it.
  Constant,  ///< __constant__: the host writes it, grids read it.
};

struct Variable {
  std::string name;
  VariableSpace space = VariableSpace::Global;
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;  ///< Of its first byte: a power of two.
  std::vector<std::byte>
      data;  ///< What it holds when the module is loaded; what is missing at its end is zero.
};

struct Module {
  std::string file;                ///< What it was loaded from, as given by the user, for messages.
  std::vector<std::string> files;  ///< The source files that SourcePlace counts.
  std::vector<Kernel>
      functions;  ///< In their order in what was loaded. Several may have one name: for several machines.
  std::vector<Variable> variables;
};

}  // namespace heddle::ir
