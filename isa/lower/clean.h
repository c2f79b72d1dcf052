// Takes out what nobody needs.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Removes instructions whose results nobody reads and that do nothing else.
void remove_unused(ir::Kernel& kernel);

/// A jump to an EXIT becomes one, and an EXIT that nothing leads to any more goes.
void shorten_exits(ir::Kernel& kernel);

/// Jumps to the next instruction go.
void remove_empty_jumps(ir::Kernel& kernel);

}  // namespace heddle::lower
