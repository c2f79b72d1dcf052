// Inserts convergence barriers: where the lanes of a divergent branch reconverge.
#pragma once

#include <optional>

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Inserts a BSSY before each divergent branch and a BSYNC at its reconvergence. Branches that reconverge in
/// one place share a barrier, and that of a loop is armed before the loop. There are 16 barriers; branches
/// that are nested deeper have none, which costs time but changes no result. `stack` points to the frames of
/// recursive functions, if there are any, in which these keep their barriers (keep_barriers.h).
void arm_barriers(ir::Kernel& kernel, std::optional<ir::RegisterIndex> stack = std::nullopt);

}  // namespace heddle::lower
