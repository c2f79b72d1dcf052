// Puts the functions that a PTX function calls into it.
#pragma once

#include "isa/lower/refusals.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// The function without calls: with the bodies of those that it calls, and of the library's (library.h). What
/// is called indirectly, recursively, or has no body is a refusal.
ptx::Function inline_calls(const ptx::Module& module, const ptx::Function& function, Refusals& refusals);

}  // namespace heddle::lower
