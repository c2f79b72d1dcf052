// The functions that CUDA's own code brings to every kernel, and that PTX declares without a body: vprintf, which device
// printf becomes, __assertfail, which a failed assert() calls, and malloc and free. They are PTX themselves, and go
// where calls of other functions go. isa/ir/system_variables.h says what they write into memory.
#pragma once

#include <string>

#include "isa/ptx/module.h"

namespace heddle::lower {

/// The PTX of those that the module declares and does not define; nothing if there are none.
std::string system_functions(const ptx::Module& module);

}  // namespace heddle::lower
