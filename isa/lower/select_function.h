// A PTX function, instruction by instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/lower/refusals.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Fills `kernel` with instructions that have virtual registers. Looks at what can be reached only. Calls are
/// those of link_calls.h. `asked` are registers of the function; returns where each is in the kernel, or the
/// first of several.
std::vector<ir::RegisterIndex> select_function(const ptx::Module& module, const ptx::Function& function,
                                               const Target& target, ir::Kernel& kernel, Refusals& refusals,
                                               const std::vector<std::uint32_t>& asked = {});

}  // namespace heddle::lower
