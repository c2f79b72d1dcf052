// What one block takes of an SM's resources. Occupancy and the launch check (refusals.h) both use it.
#pragma once

#include "sim/config/gpu_spec.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// Number of threads of a block. If the product of the extents could wrap around, the result is some number
/// that is far too large for a block.
std::uint64_t thread_count(const Dim3& block);

/// The allocation of a block of any size, even one that cannot be launched.
BlockAllocation allocation_of(const OccupancySpec& spec, const KernelResources& kernel);

/// Registers that the launch check counts for a block: it rounds the warps up so that all register pools are
/// filled evenly, wherever the warps will be placed.
std::uint64_t checked_registers(const OccupancySpec& spec, const BlockAllocation& block);

/// Most shared memory that one block can have, static and dynamic, in bytes.
std::uint32_t most_shared(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
