// Kernels that launch kernels: whoever launches such a one has to do what it asks for.
#pragma once

#include <algorithm>

#include "isa/ir/kernel.h"
#include "isa/ir/system_variables.h"

namespace heddle::ir {

/// Whether the kernel asks for launches, in kLaunchesVariable.
inline bool launches_kernels(const Kernel& kernel) {
  return std::ranges::any_of(kernel.variables, [](const UsedVariable& used) {
    return used.variable.name.starts_with(kLaunchesVariable);
  });
}

}  // namespace heddle::ir
