// A kernel of PTX, or another function, and all that it calls as one function.
#pragma once

#include "isa/lower/refusals.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Most functions are inlined. Those that are called indirectly or recursively follow behind the kernel's
/// body, in which Exit ends a thread: `Call` of a label leads to them, and `Ret` ends them.
ptx::Function link_calls(const ptx::Module& module, const ptx::Function& entry, const Target& target,
                         Refusals& refusals);

/// A function that is no kernel by itself, with all that it calls inlined. What is passed lies in the
/// variables of pass_arguments.h, and `Ret` ends it, in one place. It must not call indirectly or
/// recursively.
ptx::Function link_function(const ptx::Module& module, const ptx::Function& function, const Target& target,
                            Refusals& refusals);

}  // namespace heddle::lower
