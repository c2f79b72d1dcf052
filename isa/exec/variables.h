// A module's variables in the memory of the GPU.
#pragma once

#include <span>

#include "isa/exec/memory.h"
#include "isa/ir/kernel.h"

namespace heddle::exec {

/// Gives each variable that has no buffer yet one of its name, with what it begins with. Addresses of others
/// in it are those of their buffers. Throws InputError if one that it names is not among them, and has no
/// buffer.
void place_variables(std::span<const ir::Variable* const> variables, GlobalMemory& memory);

/// Completes the kernel's constant bank 3: by the addresses of its global variables, which are placed if they
/// are not yet, and by what its constant ones hold now, if they have a buffer.
void bind_variables(ir::Kernel& kernel, GlobalMemory& memory);

}  // namespace heddle::exec
