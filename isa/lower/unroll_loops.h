// Loop unrolling.
#pragma once

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Unrolls loops of one block that count, as ptxas 13 was seen to do for sm_80. A loop whose number of rounds
/// is known is unrolled wholly if that stays small, otherwise by a factor with the rest behind it. One whose
/// number is not known becomes a loop of four rounds at a time, then two, then one. `.pragma "nounroll"`, and
/// instructions for which it matters which lanes come together, leave a loop as it is.
void unroll_loops(ptx::Function& function);

}  // namespace heddle::lower
