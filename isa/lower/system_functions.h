// The functions that CUDA's own code brings to every kernel, and that PTX declares without a body: vprintf, which device
// printf becomes, __assertfail, which a failed assert() calls, malloc and free, and those of the device runtime, by which
// kernels launch kernels. They are PTX themselves, and go where calls of other functions go. isa/ir/system_variables.h
// says what they write into memory.
#pragma once

#include <string>
#include <string_view>

#include "isa/ptx/module.h"

namespace heddle::lower {

/// The PTX of those that the module declares and does not define, and of the variables below; nothing if there are none.
std::string system_functions(const ptx::Module& module);

/// A module with the one function of this name, one of ir::kMachineCodeFunctions, and what it needs; nothing if there is no
/// such function.
std::string system_function(std::string_view name);

/// Lets instructions name the variables that system_functions() has brought. CUDA's cooperative groups find in %envreg1
/// and %envreg2 the address of 16 bytes, by which the blocks of a grid wait for each other. The address of a kernel, which
/// kernels launch others by, is that of a variable of its own (ir::kKernelVariable).
void connect_system_variables(ptx::Module& module);

}  // namespace heddle::lower
