// Puts what a function passes to those that it calls into registers.
#pragma once

#include "isa/ptx/function.h"

namespace heddle::lower {

/// Variables of space .param in a function's body become registers, one for each part that is stored and
/// loaded; one of which the address is taken, or parts overlap, becomes a variable in local memory.
void promote_params(ptx::Function& function);

}  // namespace heddle::lower
