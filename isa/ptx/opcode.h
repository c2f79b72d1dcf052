// The base instructions of PTX, from opcodes.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::ptx {

/// The rows of opcodes.def.
enum class Opcode : std::uint16_t {
#define OPCODE(name, mnemonic) name,
#include "isa/ptx/opcodes.def"
#undef OPCODE
  Unknown,  ///< the instruction's name is in Instruction::mnemonic
  kCount
};

/// As written, without modifiers: "cp.async.bulk.tensor".
std::string_view mnemonic(Opcode opcode);

/// An opcode and how many of an instruction's dotted words are its name.
struct OpcodeMatch {
  Opcode opcode = Opcode::Unknown;
  std::size_t words = 1;
};

/// The longest name of the table that the words begin with: of ("cp", "async", "bulk", "global") the first
/// three. Unknown, and one word, if there is none.
OpcodeMatch find_opcode(std::span<const std::string_view> words);

}  // namespace heddle::ptx
