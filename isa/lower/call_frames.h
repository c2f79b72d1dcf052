// The frames of functions that can be called again before they have returned.
#pragma once

#include <optional>

#include "isa/lower/refusals.h"
#include "isa/ptx/function.h"

namespace heddle::lower {

/// A thread's stack for such functions. CUDA gives a thread 1024 bytes unless a program asks for more.
inline constexpr std::uint32_t kStackBytes = 4096;

/// Bytes below the stack pointer in which a function keeps the convergence barriers that its callers use.
inline constexpr std::uint32_t kBarrierBytes = 16;

/// Gives recursive functions frames on a stack in local memory: their variables lie there, and what a call
/// must not change is stored before it and loaded behind. Where the stack is full, the thread traps. Returns
/// the register (.b32) that points to the frame; nothing if no function is recursive.
std::optional<std::uint32_t> make_call_frames(ptx::Function& function, Refusals& refusals);

}  // namespace heddle::lower
