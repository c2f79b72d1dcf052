// Loops in which a kernel waits for memory that others write.
#pragma once

#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::cfg {

/// The loads, atomics and copies to shared memory of global memory on whose results a branch of their loop
/// depends, though their address may stay the same from round to round: a flag, a counter of arrivals, a
/// lock, a queue of work. Perhaps with some that poll nothing: a bound that a loop reads again each time
/// looks the same. An address that moves in every round is none: to walk along a list is no polling.
std::vector<Pc> polling_accesses(const ir::Kernel& kernel);

}  // namespace heddle::cfg
