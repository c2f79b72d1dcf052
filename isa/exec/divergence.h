// The mechanisms of divergence that isa/ir names are carried out here.
#pragma once

#include "isa/ir/divergence.h"

namespace heddle::exec {

using ir::Divergence;
using ir::DivergenceInfo;
using ir::find_divergence;
using ir::kDivergences;

}  // namespace heddle::exec
