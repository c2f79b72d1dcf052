// A PTX function, instruction by instruction.
#pragma once

#include <optional>

#include "isa/ir/kernel.h"
#include "isa/lower/refusals.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Fills `kernel` with instructions that have virtual registers. Looks at what can be reached only. Calls are
/// those of link_calls.h. `stack` is a register of the function; returns where it is in the kernel.
std::optional<ir::RegisterIndex> select_function(const ptx::Module& module, const ptx::Function& function,
                                                 const Target& target, ir::Kernel& kernel, Refusals& refusals,
                                                 std::optional<std::uint32_t> stack = std::nullopt);

}  // namespace heddle::lower
