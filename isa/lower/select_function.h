// A PTX function without calls, instruction by instruction.
#pragma once

#include "isa/ir/kernel.h"
#include "isa/lower/refusals.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Fills `kernel` with instructions that have virtual registers. Looks at what can be reached only.
void select_function(const ptx::Module& module, const ptx::Function& function, const Target& target,
                     ir::Kernel& kernel, Refusals& refusals);

}  // namespace heddle::lower
