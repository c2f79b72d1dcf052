// Takes values out of their registers: each instruction that needs one gets it in a register of its own.
#pragma once

#include <vector>

#include "isa/lower/allocate.h"
#include "isa/lower/edit.h"
#include "isa/lower/pressure.h"

namespace heddle::lower {

/// Where spilled values lie: [base + offset].
struct SpillArea {
  ir::RegisterIndex base = ir::kRegisterZero;
  std::uint32_t offset = 0;  ///< The next value's, in bytes; a multiple of 16.
};

/// Spills units of general registers to local memory, or computes their values where they are needed. `area`
/// goes on behind them.
void spill_to_memory(ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                     const std::vector<std::uint32_t>& spilled, Numbering& numbering, SpillArea& area,
                     Allocation& counts);

/// Keeps units of another file in general registers.
void spill_to_registers(ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                        const std::vector<std::uint32_t>& spilled, Numbering& numbering, Allocation& counts);

}  // namespace heddle::lower
