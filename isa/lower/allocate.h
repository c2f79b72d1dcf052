// Register allocation: virtual registers become physical ones.
//
// Values are told apart by their definitions and uses, so that a virtual register that is used again for
// something else makes no difference. Registers that instructions name as pairs, quads or longer runs get
// physical ones side by side, aligned as the instructions need it. Copies vanish where source and destination
// can share a register. If there are more values than registers, some are computed again where they are
// needed (numbers, constants, special registers), others are kept in local memory; predicates are kept in
// registers.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// How many registers allocation aims at.
enum class RegisterPolicy : std::uint8_t {
  Fewest,
  /// As many as ptxas would take, as allocate_spread.h has it, and the fewest where that is not possible. All
  /// counts of registers include those that ptxas reserves (allocate_budget.h).
  AsPtxas,
};

/// What allocation may use.
struct AllocationLimits {
  /// General registers of each thread, at most. A kernel whose instructions need more at once cannot be
  /// allocated.
  unsigned registers = ir::kMaxRegister + 1U;
  /// Uniform registers, likewise; what has none lies in general ones.
  unsigned uniforms = ir::kMaxUniform + 1U;
  unsigned predicates = ir::kPredicateTrue;  ///< Predicates, and uniform ones, likewise.
  /// Spilled values lie at [R1 + n], from this n on, where a function has a frame of its own on the stack;
  /// whoever makes the frame must make it larger by Allocation::spilled_bytes. Otherwise they lie at fixed
  /// places in local memory: below the stack, if the kernel reads where that begins, else behind what it has
  /// already.
  std::optional<std::uint32_t> frame_offset;
  RegisterPolicy policy = RegisterPolicy::Fewest;
};

/// What allocation has done to the kernel.
struct Allocation {
  unsigned registers = 0;      ///< What the kernel has now: one more than the highest one, and reserved ones.
  unsigned spilled_bytes = 0;  ///< Local memory that each thread needs for them; in Kernel::local_bytes, too.
  unsigned spill_loads = 0;    ///< Instructions that were inserted.
  unsigned spill_stores = 0;
  unsigned rematerialized = 0;   ///< Instructions that compute a value again.
  unsigned copies_removed = 0;   ///< MOVs whose two registers are one now.
  unsigned copies_inserted = 0;  ///< Where a value is needed in two places of runs at once.
};

/// Replaces all virtual registers. Physical registers that the kernel names already stay what they are, and
/// no value is put where they are in use. The functions that a kernel calls must be among its instructions:
/// what is needed behind a call lies in registers that none of them changes, so that there need be no
/// convention. A function that may call itself must save on its stack what it needs behind the call, and
/// wants `frame_offset`. Virtual registers should be numbered without large gaps. Throws InputError, and
/// leaves the kernel as it was, if it needs more registers than there may be; the message says how many.
Allocation allocate_registers(ir::Kernel& kernel, const AllocationLimits& limits = {});

}  // namespace heddle::lower
