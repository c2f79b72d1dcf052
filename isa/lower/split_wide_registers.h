// Registers of 128 bits as two of 64.
#pragma once

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Whether the function has registers of type .b128.
bool has_wide_registers(const ptx::Function& function);

/// The function with each register of type .b128 as a vector of two of .b64 where an instruction names it;
/// loads and stores of one are those of vectors.
ptx::Function with_split_registers(const ptx::Function& function);

}  // namespace heddle::lower
