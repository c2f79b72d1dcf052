// Which accesses of a loop go on to another address from round to round.
#pragma once

#include <vector>

#include "isa/cfg/loop.h"
#include "isa/cfg/provenance.h"

namespace heddle::cfg {

/// For each of these instructions of the loop, whether there is no way round the loop on which its addresses
/// in global memory stay the same.
std::vector<bool> moving_addresses(const ir::Kernel& kernel, const Loop& loop, Provenance& provenance,
                                   const std::vector<std::uint32_t>& places);

}  // namespace heddle::cfg
