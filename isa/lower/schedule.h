// The order of instructions within blocks.
#pragma once

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Puts instructions in an order that hides latency, as compilers do: loads early, what uses them late.
/// Within a block only, and no instruction passes a barrier, a fence, a guarded EXIT or a read of the clock.
/// The values that are held at once grow only for the sake of loads and other instructions that take long,
/// and only as far as the kernel's occupancy allows: up to the next multiple of eight registers, and up to 32
/// in any case. Registers are virtual still. Removes the marks of order_marks.h.
void order_for_latency(ir::Kernel& kernel);

}  // namespace heddle::lower
