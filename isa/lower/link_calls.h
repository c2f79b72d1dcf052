// A kernel of PTX and all that it calls as one function.
#pragma once

#include "isa/lower/refusals.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Most functions are inlined. Those that are called indirectly or recursively follow behind the kernel's
/// body, in which Exit ends a thread: `Call` of a label leads to them, and `Ret` ends them.
ptx::Function link_calls(const ptx::Module& module, const ptx::Function& entry, Refusals& refusals);

}  // namespace heddle::lower
