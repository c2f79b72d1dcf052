// Short branches become guards.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// A branch over a few instructions goes, and each of them is executed under the opposite guard: one issue
/// slot for each, where a branch and its convergence barrier cost more. ptxas does so with up to eight (in
/// tests/isa/compiled 254 bodies of up to eight have guards and 8 have a branch; of longer ones 7 and 24).
void predicate_short_branches(ir::Kernel& kernel);

}  // namespace heddle::lower
