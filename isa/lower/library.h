// Functions that PTX instructions stand for which the hardware has no instruction for: divisions of 64 bits,
// correctly rounded quotients and roots. They are PTX themselves.
#pragma once

#include <optional>
#include <string_view>

#include "isa/ptx/module.h"

namespace heddle::lower {

/// The function that computes the instruction's result from its sources, in their order; nothing where
/// instructions do.
std::optional<std::string_view> library_function(const ptx::Instruction& instruction);

/// The module that holds the library's functions.
const ptx::Module& library();

}  // namespace heddle::lower
