// Zeros that need no register.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Where arithmetic reads a virtual register that only MOV R, RZ writes, it reads RZ. Pairs and quads keep
/// theirs. The MOV stays; it is for remove_unused() to see whether anybody needs it still.
void forward_zeros(ir::Kernel& kernel);

}  // namespace heddle::lower
