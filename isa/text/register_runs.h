// Registers side by side that an operand stands for: where they may begin and must end.
#pragma once

#include <cstdint>

#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Throws Mistake unless `width` registers, from this one on, are aligned and none is past the last.
void check_registers(const Token& at, std::uint8_t first, unsigned width);
/// The same of registers that begin at a multiple of something else than their number.
void check_registers(const Token& at, std::uint8_t first, unsigned width, unsigned alignment);
/// The same of uniform registers.
void check_uniforms(const Token& at, std::uint8_t first, unsigned width);

}  // namespace heddle::text
