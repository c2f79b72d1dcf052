// PTX to IR: a function that machine code calls.
#pragma once

#include <string>

#include "isa/ir/kernel.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// The function of this name, which is no kernel, with all that it calls inlined, as machine code calls it
/// (calling_convention.h). Values that have no register lie in local memory from its begin on, below all
/// stacks: Kernel::local_bytes of them, so that no other function that is called meanwhile may use them.
/// Throws InputError that names what cannot be lowered, as are arguments and results of more than 8 bytes,
/// and calls that are indirect or recursive.
ir::Kernel lower_function(const ptx::Module& module, const std::string& name, const Target& target);

}  // namespace heddle::lower
