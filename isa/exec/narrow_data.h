// Data of 8 and 16 bits in 32-bit registers.
#pragma once

#include <cstdint>

#include "isa/ir/instruction.h"

namespace heddle::exec {

/// Whether an instruction that reads less than 32 bits repeats their sign.
inline bool reads_signed(const ir::Instruction& instruction) {
  return instruction.modifiers.has(ir::Modifier::WidthS8) ||
         instruction.modifiers.has(ir::Modifier::WidthS16);
}

/// The low `bytes` (1 to 4) of a word as a register holds them.
inline std::uint32_t widened(std::uint32_t word, unsigned bytes, bool is_signed) {
  const unsigned unused = 32 - 8 * bytes;
  word <<= unused;
  return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> unused) : word >> unused;
}

/// A narrow integer comes to the word's lowest bits; what lies above it, nobody reads.
inline std::uint32_t part_of(std::uint32_t word, ir::RegisterPart part) {
  constexpr std::uint32_t kTwice = 0x10001;
  switch (part) {
    case ir::RegisterPart::LowTwice: return (word & 0xffff) * kTwice;
    case ir::RegisterPart::HighTwice: return (word >> 16) * kTwice;
    case ir::RegisterPart::Byte1: return word >> 8;
    case ir::RegisterPart::UpperHalf:
    case ir::RegisterPart::Byte2: return word >> 16;
    case ir::RegisterPart::Byte3: return word >> 24;
    default: return word;
  }
}

}  // namespace heddle::exec
