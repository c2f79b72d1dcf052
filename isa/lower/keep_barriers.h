// Convergence barriers of functions that can be called again before they have returned.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// A recursive function may use so many barriers.
inline constexpr unsigned kMostKeptBarriers = 4;

/// Makes each recursive function keep the barriers that it uses in its frame where it begins and give them
/// back where it returns, as functions do whose callers use them, too. `stack` is the register that points
/// to the frame (call_frames.h); the words lie below it.
void keep_barriers(ir::Kernel& kernel, ir::RegisterIndex stack);

}  // namespace heddle::lower
