// Whether every register is written before it is read, on every path a lane can take.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::cfg {

/// True if some instruction may read a register or predicate that its lane has not written: a
/// definite-assignment analysis over the flow graph, in which a guarded write counts for nothing unless the
/// guard is the same as that of the read and has not been written in between on the straight line. Execution
/// then has to watch.
bool may_read_unwritten(const ir::Kernel& kernel);

}  // namespace heddle::cfg
