// Checks the consecutive registers that an operand stands for.
#pragma once

#include <cstdint>

#include "isa/text/statement_reader.h"

namespace heddle::text {

/// Throws Mistake unless the `width` registers from this one on are aligned and exist.
void check_registers(const Token& at, std::uint8_t first, unsigned width);
/// The same with another alignment than the number of registers.
void check_registers(const Token& at, std::uint8_t first, unsigned width, unsigned alignment);
/// The same for uniform registers.
void check_uniforms(const Token& at, std::uint8_t first, unsigned width);

}  // namespace heddle::text
