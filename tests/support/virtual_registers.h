// Kernels with virtual registers, from kernels that have physical ones.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::test {

/// The same kernel with a virtual register for each physical one. What cannot be virtual stays: the stack
/// pointer where there is a stack, and predicates where an instruction has them in a mask.
ir::Kernel with_virtual_registers(ir::Kernel kernel);

/// Whether an instruction names a virtual register.
bool has_virtual_registers(const ir::Kernel& kernel);

}  // namespace heddle::test
