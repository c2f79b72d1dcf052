// The predicates of a warp.
#pragma once

#include <array>

#include "isa/base/types.h"
#include "isa/ir/instruction.h"

namespace heddle::exec {

/// A bit per lane for P0 to P6 and PT, then for UP0 to UP6 and UPT, which are the same in all lanes.
using Predicates = std::array<LaneMask, 2 * ir::kFirstUniformPredicate>;

}  // namespace heddle::exec
