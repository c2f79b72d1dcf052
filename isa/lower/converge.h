// Inserts convergence barriers: where the lanes of a divergent branch reconverge.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Inserts a BSSY before each divergent branch and a BSYNC at its reconvergence. Branches that reconverge in
/// one place share a barrier, and that of a loop is armed before the loop. There are 16 barriers; branches
/// that are nested deeper have none, which costs time but changes no result.
void arm_barriers(ir::Kernel& kernel);

}  // namespace heddle::lower
