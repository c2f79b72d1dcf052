// Puts the body of one PTX function behind that of another one.
#pragma once

#include <vector>

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Moves what a function names by so many places, as its registers, variables, instructions and branch tables
/// lie in another function.
struct Shift {
  std::uint32_t registers = 0;
  std::uint32_t variables = 0;
  std::uint32_t labels = 0;
  std::uint32_t tables = 0;
  /// What the function's parameters and returns are in the other function; as they are where it is null.
  const std::vector<ptx::Operand>* parameters = nullptr;
  const std::vector<ptx::Operand>* returns = nullptr;

  void apply(ptx::SymbolRef& symbol) const;
  void apply(ptx::Operand& operand) const;
  void apply(ptx::Instruction& instruction) const;
};

/// Appends registers and variables of a function. Returns where they lie, and labels as if the body followed
/// at once.
Shift append_declarations(ptx::Function& into, const ptx::Function& function);

/// Appends the branch tables and pragmas; what they name follows `shift`.
void append_tables(ptx::Function& into, const ptx::Function& function, const Shift& shift);

/// Appends a function without parameters and returns, as it is. Returns where its body begins.
std::uint32_t append_function(ptx::Function& into, const ptx::Function& function);

}  // namespace heddle::lower
