// Fences and the memory order of atomics, as compilers write them for a generation of GPUs.
#pragma once

#include "isa/lower/selection.h"

namespace heddle::lower {

/// Who must see what a thread has done.
enum class FenceScope : std::uint8_t { Block, Gpu, System };

/// The scope that the instruction names; `otherwise` if it names none. A cluster's is the GPU's.
FenceScope fence_scope(const ptx::Instruction& instruction, FenceScope otherwise);

/// Emits a fence: it waits until what the warp has done is visible in the scope; sequentially consistent
/// (.sc) or not.
void emit_fence(Selection& selection, FenceScope scope, bool is_in_order);

/// Keeps later accesses behind what has been emitted. Beyond the block it emits an invalidation of L1, so
/// that later loads do not find older values there.
void emit_acquire(Selection& selection, FenceScope scope);

}  // namespace heddle::lower
