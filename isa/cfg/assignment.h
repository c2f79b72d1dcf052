// Checks whether every register is written before it is read, on every path that a lane can take.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::cfg {

/// True if some instruction may read a register or predicate that its lane has not written. This is a
/// definite-assignment analysis over the flow graph. A guarded write counts only if the read has the same
/// guard and the guard's predicate is not written in between, in straight-line code. If the result is true,
/// execution must check at run time.
bool may_read_unwritten(const ir::Kernel& kernel);

}  // namespace heddle::cfg
