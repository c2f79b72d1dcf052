// Dead-code elimination, and jumps that are not needed.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Removes instructions whose results nobody reads and that do nothing else.
void remove_unused(ir::Kernel& kernel);

/// Replaces a jump to an EXIT by an EXIT, and removes an EXIT that nothing leads to any more.
void shorten_exits(ir::Kernel& kernel);

/// Removes jumps to the next instruction.
void remove_empty_jumps(ir::Kernel& kernel);

}  // namespace heddle::lower
