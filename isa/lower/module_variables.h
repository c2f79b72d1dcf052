// The global and constant variables of a PTX module, as they are when it is loaded.
#pragma once

#include <vector>

#include "isa/ir/kernel.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Throws InputError if the variable begins with what has no place in memory, such as a function's address.
ir::Variable module_variable(const ptx::Module& module, const ptx::Variable& variable);

/// All of the module, in its order; not those that are only declared.
std::vector<ir::Variable> module_variables(const ptx::Module& module);

}  // namespace heddle::lower
