// Theoretical occupancy: how many blocks of a kernel an SM can hold, and which resource limits them.
// The rules are those of NVIDIA's occupancy calculator (cuda_occupancy.h of CUDA 13.0). The limits come from
// the GPU file.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/occupancy/kernel_resources.h"
#include "sim/occupancy/resource.h"

namespace heddle::sim {

/// The limit by a resource that the kernel does not use, or that the GPU does not limit.
inline constexpr std::uint32_t kNoBlockLimit = ~std::uint32_t{0};

/// What the allocator takes of an SM for one block.
struct BlockAllocation {
  std::uint64_t warps = 0;
  std::uint64_t registers_per_warp = 0;  ///< Rounded up to the allocation unit.
  std::uint64_t registers = 0;
  std::uint64_t shared_bytes = 0;  ///< Includes what the system reserves; rounded up to the allocation unit.
};

/// The theoretical occupancy of one SM by one kernel, and the limit that each resource sets.
struct Occupancy {
  std::uint32_t blocks_per_sm = 0;  ///< 0: such a block can never run.
  std::uint32_t warps_per_sm = 0;
  double occupancy = 0.0;  ///< warps_per_sm / most warps that an SM holds, 0 to 1.
  /// Blocks that an SM could hold if only this resource were limited. 0 if even one block asks for too much.
  std::array<std::uint32_t, kResources> limits{};
  BlockAllocation block;
  /// Bytes of shared memory that an SM can offer, given the kernel's carve-out preference.
  std::uint32_t shared_capacity = 0;
  /// Bytes that shared memory is set to. Without a preference: the least legal size that holds the blocks
  /// that fit.
  std::uint32_t shared_carveout = 0;
  bool partitioned_caching = false;  ///< Each half of the SM caches global loads for itself.

  [[nodiscard]] std::uint32_t limit(Resource resource) const {
    return limits[static_cast<std::size_t>(resource)];
  }
  [[nodiscard]] bool is_limited_by(Resource resource) const { return limit(resource) == blocks_per_sm; }
  /// The resources with the lowest limit.
  [[nodiscard]] std::vector<Resource> limiters() const;
};

/// Never throws. A kernel that cannot run gets 0 blocks; refusals() tells why.
Occupancy occupancy_of(const OccupancySpec& spec, const KernelResources& kernel);

/// What a launch asks for. All of its shared memory counts as dynamic.
KernelResources resources_of(const stream::LaunchShape& launch);

/// Throws InputError if not even one block fits; the message names all limits that are exceeded. The warp
/// size is that of the spec.
Occupancy theoretical_occupancy(const OccupancySpec& spec, const stream::LaunchShape& launch);

}  // namespace heddle::sim
