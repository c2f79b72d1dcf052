// What a block takes, and what the launch check makes of it: the common ground of occupancy and refusals.
#pragma once

#include "sim/config/gpu_spec.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// Threads of a block, or any number that is far too large for one: the product of the extents may wrap
/// around.
std::uint64_t thread_count(const Dim3& block);

/// Of a block of any size.
BlockAllocation allocation_of(const OccupancySpec& spec, const KernelResources& kernel);

/// Registers that the launch check counts for a block: it takes the warps to fill all pools evenly, wherever
/// they will be placed.
std::uint64_t checked_registers(const OccupancySpec& spec, const BlockAllocation& block);

/// Most shared memory of one block, static and dynamic.
std::uint32_t most_shared(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
