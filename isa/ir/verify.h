// Checks instructions, functions and modules, whatever they were made from. Nothing here knows text: a
// problem says what of which instruction is wrong, and who knows the source shows the place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "isa/ir/module.h"

namespace heddle::ir {

/// What of a function or an instruction is wrong.
enum class Part : std::uint8_t {
  Name,           ///< The function's name.
  RegisterCount,  ///< How many registers the function says that it needs.
  Statement,      ///< The instruction as a whole.
  Opcode,         ///< Opcode and modifiers, or how they and the operands go together.
  Operand,        ///< An operand, from its sign on.
  Value,          ///< Its register, its number, or the place of its constant.
  Uniform,        ///< The uniform register that an address adds.
};

/// One mistake in a function.
struct Problem {
  Pc pc = 0;  ///< The instruction, if the part is one of an instruction.
  Part part = Part::Opcode;
  unsigned operand = 0;  ///< Which operand, if the part is one of an operand.
  std::string message;   ///< With "{}" where it names what was found, if it does.
  /// What stands there, as the table names it. Who knows the source can show it as it is written.
  std::string found;

  /// The message about what was found.
  [[nodiscard]] std::string text() const;
  /// The same, with what was found as it is written in the source, in quotes.
  [[nodiscard]] std::string text(std::string_view as_written) const;
};

/// Opcode, modifiers and guard of an instruction, whose operands need not be known.
std::optional<Problem> opcode_problem(const Instruction& instruction);

/// Checks one operand of an instruction whose opcode, modifiers and operands before it are right. Only the
/// kernel's parameters and constants are looked at.
std::optional<Problem> operand_problem(const Kernel& kernel, const Instruction& instruction, unsigned place);

/// How operands go together that are right each by itself.
std::optional<Problem> combination_problem(const Instruction& instruction);

/// All that is wrong with the function as a whole, where its instructions are right each by itself: its end,
/// where it jumps to, how many registers it has.
std::vector<Problem> function_problems(const Kernel& function);

/// Everything that the four above find, but only the first problem of each instruction.
std::vector<Problem> problems_of(const Kernel& function);

/// What is wrong with a module, at most `most` problems. Places are those of the functions' source lines.
std::vector<Diagnostic> verify(const Module& module, std::size_t most = 100);

}  // namespace heddle::ir
