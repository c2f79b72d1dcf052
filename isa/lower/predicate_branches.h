// Short branches become guards.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// A branch over a few instructions goes, and each of them is executed under the opposite guard: one issue
/// slot for each, where a branch and its convergence barrier cost more. ptxas does so with up to about eight
/// (observed in the machine code of tests/isa/compiled).
void predicate_short_branches(ir::Kernel& kernel);

}  // namespace heddle::lower
