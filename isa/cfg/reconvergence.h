// Where lanes that part at a branch meet again: at the branch's immediate post-dominator.
#pragma once

#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::cfg {

/// The lanes meet nowhere: each path ends in EXIT.
inline constexpr Pc kNoReconvergence = ~Pc{0};

/// For each instruction: for a branch (a call is none), the Pc of the first instruction of its immediate
/// post-dominator, else kNoReconvergence. A guarded EXIT is no branch: the lanes it ends do not come back. An
/// indirect jump may lead to any label, so that only a BSSY around it says how soon its lanes meet.
std::vector<Pc> reconvergence_points(const ir::Kernel& kernel);

/// The same, without the points that a BSSY of the kernel names: there the text itself says who waits for whom.
std::vector<Pc> implicit_barriers(const ir::Kernel& kernel);

}  // namespace heddle::cfg
