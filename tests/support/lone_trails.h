// Which way each lane of a warp would go through a kernel's flow if it were alone: what mechanisms of
// divergence are held against.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::test {

/// The instructions that a lane comes to, in order.
using Trail = std::vector<Pc>;

/// Whether the guard holds for a lane whose instruction this is the step-th.
bool way(std::uint64_t seed, unsigned lane, std::size_t step);

/// The first `steps` instructions of a lane alone, fewer if it exits. Branches and EXITs go by way().
Trail lone_trail(const ir::Kernel& kernel, std::uint64_t seed, unsigned lane, std::size_t steps);

/// How many lanes have gone another way than they would alone; lanes that are not `live` have come to their
/// end.
unsigned wrong_trails(const ir::Kernel& kernel, std::uint64_t seed, const std::vector<Trail>& trails,
                      LaneMask live);

}  // namespace heddle::test
