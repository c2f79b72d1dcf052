// Inlines the functions that a PTX function calls.
#pragma once

#include "isa/lower/refusals.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Returns the function with the bodies of all functions that it calls, those of the library (library.h)
/// included. Functions that are called indirectly or recursively, or have no body, are refused.
ptx::Function inline_calls(const ptx::Module& module, const ptx::Function& function, Refusals& refusals);

}  // namespace heddle::lower
