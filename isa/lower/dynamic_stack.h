// alloca, stacksave and stackrestore of PTX.
#pragma once

#include "isa/lower/refusals.h"
#include "isa/ptx/function.h"

namespace heddle::lower {

/// What all alloca of a thread may take together.
inline constexpr unsigned kDynamicStackBytes = 4096;

/// Replaces the instructions by sums on a register that points into a local variable, which is added where
/// there are any of them; a thread that takes more than the variable has ends the launch as a trap. What an
/// inlined function takes is given back where stackrestore says so.
void make_dynamic_stack(ptx::Function& function, Refusals& refusals);

}  // namespace heddle::lower
