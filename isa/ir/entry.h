// Finds the kernel of a module that a user names by its mangled or demangled name.
#pragma once

#include <optional>
#include <string>

#include "isa/ir/module.h"

namespace heddle::ir {

/// Finds the wanted entry function and returns its index. A name is not needed if there is only one entry
/// function. The name can be mangled, demangled, or demangled without parameters; "NAME@sm_90" chooses among
/// several compute capabilities. Empty if no entry function or several match.
std::optional<std::size_t> find_entry(const Module& module, const std::optional<std::string>& wanted);

/// The function's name, with its machine if the module has it for several.
std::string entry_name(const Module& module, const Kernel& function);

/// The list of entry functions for messages: "there are '_Z6vecaddPKfS0_Pfi' (vecadd(...)), 'saxpy'".
std::string choices(const Module& module);

}  // namespace heddle::ir
