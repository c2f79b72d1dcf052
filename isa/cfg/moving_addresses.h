// Finds the accesses of a loop whose address changes from iteration to iteration.
#pragma once

#include <vector>

#include "isa/cfg/loop.h"
#include "isa/cfg/provenance.h"

namespace heddle::cfg {

/// For each of these instructions of the loop: whether its address in global memory changes on every path
/// round the loop.
std::vector<bool> moving_addresses(const ir::Kernel& kernel, const Loop& loop, Provenance& provenance,
                                   const std::vector<std::uint32_t>& places);

}  // namespace heddle::cfg
