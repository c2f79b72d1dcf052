// Fences and the memory order of atomics, as compilers write them for a generation of GPUs.
#pragma once

#include "isa/lower/selection.h"

namespace heddle::lower {

/// Who must see what a thread has done.
enum class FenceScope : std::uint8_t { Block, Gpu, System };

/// The scope that the instruction names; `otherwise` if it names none. A cluster's is the GPU's.
FenceScope fence_scope(const ptx::Instruction& instruction, FenceScope otherwise);

/// Waits until what the warp has done is seen in the scope. One of all fences that are in order (.sc), or
/// not.
void emit_fence(Selection& selection, FenceScope scope, bool is_in_order);

/// What is read from now on is not older than now.
void emit_acquire(Selection& selection, FenceScope scope);

}  // namespace heddle::lower
