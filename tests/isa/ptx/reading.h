// Short ways to read PTX in tests.
#pragma once

#include <string>

#include "isa/base/diagnostic.h"
#include "isa/ptx/module.h"
#include "tests/support/catch.h"

namespace heddle::ptx::test {

inline constexpr const char* kHead = ".version 8.3\n.target sm_90\n.address_size 64\n";

/// A module with these lines behind its head: the first of them is line 4.
inline Module module_of(const std::string& text) { return read_module(kHead + text, "k.ptx"); }

/// Registers that bodies in tests may use.
inline constexpr const char* kRegisters =
    ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<20>; .reg .pred %p<9>; .reg .v4 .f32 %v;";

/// A module with one kernel of these statements, whose first line is line 5.
inline Module body_of(const std::string& statements) {
  return module_of(".visible .entry k(.param .u64 a) {" + std::string(kRegisters) + "\n" + statements +
                   "\n}\n");
}

/// The first instruction of such a kernel.
inline Instruction instruction_of(const std::string& statement) {
  const Module module = body_of(statement);
  REQUIRE(!module.functions[0].body.empty());
  Instruction instruction = module.functions[0].body[0];
  instruction.mnemonic = {};  // it is a view of the module
  instruction.unknown_words.clear();
  return instruction;
}

/// Its operand.
inline Operand operand_of(const std::string& statement, std::size_t number) {
  const Instruction instruction = instruction_of(statement);
  REQUIRE(number < instruction.operands.size());
  return instruction.operands[number];
}

/// The mistakes that a text has; empty if it has none.
inline std::vector<Diagnostic> mistakes_of(const std::string& text) {
  try {
    read_module(text, "k.ptx");
  } catch (const InputError& error) {
    return error.list();
  }
  return {};
}

inline const Register& register_of(const Function& function, const Operand& operand) {
  REQUIRE(operand.reg < function.registers.size());
  return function.registers[operand.reg];
}

}  // namespace heddle::ptx::test
