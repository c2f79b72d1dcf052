// Reconvergence points: the lanes that diverge at a branch meet again at the branch's immediate
// post-dominator.
#pragma once

#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::cfg {

/// There is no reconvergence point: each path ends in EXIT.
inline constexpr Pc kNoReconvergence = ~Pc{0};

/// For each branch the Pc of the first instruction of its immediate post-dominator; for any other instruction
/// kNoReconvergence. Calls are no branches, and neither are guarded EXITs, because the lanes that exit do not
/// come back. An indirect jump can lead to any label, so its lanes are known to meet soon only if there is a
/// BSSY around it.
std::vector<Pc> reconvergence_points(const ir::Kernel& kernel);

/// The same without the points that a BSSY of the kernel names, because there the kernel itself says which
/// lanes wait.
std::vector<Pc> implicit_barriers(const ir::Kernel& kernel);

}  // namespace heddle::cfg
