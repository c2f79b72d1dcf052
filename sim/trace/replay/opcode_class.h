// Finds the row of the instruction table for an opcode in a trace, or the most similar row.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/ir/instruction.h"

namespace heddle::trace {

/// The row of an opcode, and what differs from it.
struct OpcodeClass {
  ir::Opcode row = ir::Opcode::Nop;
  bool is_near = false;        ///< The table has no such instruction; the row is similar.
  bool is_generic = false;     ///< A load or store whose address tells which memory space it accesses.
  std::uint8_t registers = 0;  ///< Registers of the result; 0: as the row says.
  std::string_view modifiers;  ///< The text behind the row's mnemonic: ".E.64".
};

/// Works for any text. opcode_rules.def has the rules.
OpcodeClass classify(std::string_view opcode);

/// The row with the modifiers that it knows. Of several from one group the first one counts.
ir::Instruction instruction_of(const OpcodeClass& found);

/// Whether `token` is one of the parts between the dots.
bool has_token(std::string_view opcode, std::string_view token);

}  // namespace heddle::trace
