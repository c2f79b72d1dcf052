// Registers of 128 bits as two of 64.
#pragma once

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Whether the function has registers of type .b128.
bool has_wide_registers(const ptx::Function& function);

/// Each register of type .b128 becomes a vector of two of .b64 where an instruction names it; loads and
/// stores of one become those of vectors.
void split_wide_registers(ptx::Function& function);

}  // namespace heddle::lower
