// How many registers a thread may have without a loss of occupancy.
#pragma once

namespace heddle::lower {

/// What ptxas keeps of each thread's registers for itself, from sm_70 on, where each thread has a program
/// counter of its own: it reports so many more than one more than the highest register that the code names,
/// and leaves so many of -maxrregcount. (Observed with ptxas 13.0, sm_75 to sm_120; docs/writing.md.)
inline constexpr unsigned kReservedRegisters = 2;

/// Registers are allocated to threads in units of so many.
inline constexpr unsigned kRegisterUnit = 8;

/// R1 is the stack pointer of compiled kernels, even of those that have no stack.
inline constexpr unsigned kStackPointer = 1;

/// The most registers with which an SM has as many warps as with `registers`, both without the reserved ones.
unsigned register_budget(unsigned registers);

}  // namespace heddle::lower
