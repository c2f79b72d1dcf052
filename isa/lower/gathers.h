// What instructions of the whole warp and barriers of the block ask of the kernel around them.
#pragma once

#include <cstdint>

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Removes each WARPSYNC whose lanes are together without it: where no branch has parted them, or another
/// WARPSYNC of the same mask stands before it in the block.
void remove_gathers(ir::Kernel& kernel);

/// One more than the highest barrier of the block that the kernel names; all of them where a register says
/// which.
std::uint32_t count_barriers(const ir::Kernel& kernel);

}  // namespace heddle::lower
