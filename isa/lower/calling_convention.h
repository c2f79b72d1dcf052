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
#include <vector>

#include "isa/ir/kernel.h"

namespace heddle::lower {

inline constexpr ir::RegisterIndex kFirstPassed = 4;
inline constexpr ir::RegisterIndex kReturnAddress = 20;

/// Registers from kFirstPassed on that a function may change.
inline constexpr unsigned kPassedRegisters = 12;
/// Convergence barriers, from the first one on, that it may change.
inline constexpr unsigned kScratchBarriers = 6;

/// A word that is passed.
struct PassedWord {
  std::uint32_t in_ptx = 0;  ///< The PTX register that has it,
  unsigned word = 0;         ///< which of its words it is,
  unsigned place = 0;        ///< and how many words lie before it among all that is passed.
};

// Until registers have been allocated, what is passed begins at R0. `places` has the first register of each
// word's PTX register.

/// Copies arguments where the function begins.
void take_arguments(ir::Kernel& function, const std::vector<PassedWord>& words,
                    const ir::RegisterIndex* places);
/// Copies results in front of the function's only RET. Nothing may come between afterwards: a register that
/// has a result looks free there.
void give_results(ir::Kernel& function, const std::vector<PassedWord>& words,
                  const ir::RegisterIndex* places);

/// Moves all registers to where the convention has them. Throws InputError where there are too few
/// convergence barriers.
void number_as_called(ir::Kernel& function);

}  // namespace heddle::lower
