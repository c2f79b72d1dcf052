// Finds loops in which a kernel polls memory that other threads write.
#pragma once

#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::cfg {

/// The loads, atomics and copies to shared memory that read global memory, whose result decides a branch of
/// their loop, and whose address can stay the same from iteration to iteration: polls of a flag, an arrival
/// counter, a lock, a work queue. The result may include accesses that do not poll, such as a loop bound that
/// is read in each iteration. An access whose address changes in every iteration, such as a walk along a
/// list, is not included.
std::vector<Pc> polling_accesses(const ir::Kernel& kernel);

}  // namespace heddle::cfg
