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

/// A module as CUDA knows it (cuModuleLoad): plain data, checked by verify().
struct Module {
  std::string file;                ///< What it was loaded from, as given by the user, for messages.
  std::vector<std::string> files;  ///< The source files that SourcePlace counts.
  /// In their order in what was loaded. Several may have one name: for several machines.
  std::vector<Kernel> functions;
  std::vector<Variable> variables;
};

}  // namespace heddle::ir
