// PTX instructions that GPUs have no instruction for, nor selection: a call of a function stands for each, which
// is PTX itself, written for the instruction's modifiers. Selection and the IR stay as small as GPUs have them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/lower/target.h"
#include "isa/ptx/instruction.h"

namespace heddle::lower {

/// What an instruction becomes: a call.
struct Expansion {
  std::string text;  ///< A PTX module with one function.
  std::vector<ptx::Operand> results;
  std::vector<ptx::Operand> arguments;
};

/// Nothing where selection has the instruction, or where nobody has it.
std::optional<Expansion> expansion_of(const ptx::Instruction& instruction, const Target& target);

}  // namespace heddle::lower
