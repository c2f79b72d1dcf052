// Convergence barriers: where lanes that have gone different ways wait for one another.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// For each place where the ways of a divergent branch meet, a BSSY before they part and a BSYNC where they
/// meet. Branches that meet in one place share a barrier, and that of a loop is armed before the loop. There
/// are 16 barriers; what is nested deeper goes without, which costs time but changes no result.
void arm_barriers(ir::Kernel& kernel);

}  // namespace heddle::lower
