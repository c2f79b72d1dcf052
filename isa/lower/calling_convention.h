// How functions call each other in the machine code of NVIDIA's compilers, from compute capability 7.0 on:
// observed in what nvcc 13.0 makes of calls of vprintf, malloc and __assertfail, and of __noinline__
// functions by -rdc=true, for 7.5 to 9.0.
//
//   R4 and on     arguments, as C lays out a structure of them; behind the call, the result
//   R20, R21      where the function returns to
//   R1            the stack pointer
//   R2, R16 and on, UR36 and on, B6 and on   the function leaves them as they are
//   everything else, predicates too          the function may change it
#pragma once

#include <cstdint>

#include "isa/ir/instruction.h"

namespace heddle::lower {

inline constexpr ir::RegisterIndex kFirstPassed = 4;
inline constexpr ir::RegisterIndex kReturnAddress = 20;

/// Registers from kFirstPassed on that a function may change.
inline constexpr unsigned kPassedRegisters = 12;
/// Uniform registers and convergence barriers, from the first one on, that it may change.
inline constexpr unsigned kScratchUniforms = 36;
inline constexpr unsigned kScratchBarriers = 6;

}  // namespace heddle::lower
