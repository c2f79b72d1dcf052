// Special registers of PTX: from special registers of the IR, and from what a launch puts into constant bank
// 0.
#pragma once

#include "isa/lower/selection.h"

namespace heddle::lower {

/// mov from a special register.
void select_special(Selection& selection, const ptx::Instruction& instruction);

/// What S2R reads; where all paths pass, once only.
Operand read_special(Selection& selection, ir::SpecialRegister special);

}  // namespace heddle::lower
