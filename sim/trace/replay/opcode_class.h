// What an opcode of a trace is: its row in the instruction table, or the nearest one.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/ir/opcode.h"

namespace heddle::trace {

struct OpcodeClass {
  ir::Opcode row = ir::Opcode::Nop;
  bool is_near = false;        ///< The table has no such instruction: the row is like it.
  bool is_generic = false;     ///< Loads and stores whose addresses say which space they lie in.
  std::uint8_t registers = 0;  ///< That the result takes; 0: as the row says.
  std::string_view modifiers;  ///< What follows the row's mnemonic: ".E.64"
};

/// Any text has a class. opcode_rules.def says which.
OpcodeClass classify(std::string_view opcode);

/// Whether one of the dotted parts is `token`.
bool has_token(std::string_view opcode, std::string_view token);

}  // namespace heddle::trace
