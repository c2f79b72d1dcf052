// Theoretical occupancy: how many blocks of a kernel an SM can hold, and what binds.
// The rules are those of NVIDIA's occupancy calculator (cuda_occupancy.h of CUDA 13.0), the limits a GPU's
// own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/occupancy/kernel_resources.h"
#include "sim/occupancy/resource.h"

namespace heddle::sim {

/// Of a resource that the kernel does not use, or that the GPU has no limit for.
inline constexpr std::uint32_t kNoBlockLimit = ~std::uint32_t{0};

/// What the allocator takes for one block.
struct BlockAllocation {
  std::uint64_t warps = 0;
  std::uint64_t registers_per_warp = 0;  ///< Rounded up to the unit.
  std::uint64_t registers = 0;
  std::uint64_t shared_bytes = 0;  ///< With what the system reserves, rounded up to the unit.
};

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;  ///< 0: such a block never runs.
  std::uint32_t warps_per_sm = 0;
  double occupancy = 0.0;  ///< warps_per_sm / most warps an SM holds, 0 to 1
  /// Blocks an SM could hold if only this resource were limited, 0 where a block may not have what it asks
  /// for.
  std::array<std::uint32_t, kResources> limits{};
  BlockAllocation block;
  std::uint32_t shared_capacity = 0;  ///< Bytes an SM has for shared memory under the kernel's preference.
  std::uint32_t shared_carveout = 0;  ///< Bytes it is set to: without a preference, the least legal size that
                                      ///< holds the blocks that fit.
  bool partitioned_caching = false;   ///< Global loads are cached by halves of the SM.

  [[nodiscard]] std::uint32_t limit(Resource resource) const {
    return limits[static_cast<std::size_t>(resource)];
  }
  [[nodiscard]] bool is_limited_by(Resource resource) const { return limit(resource) == blocks_per_sm; }
  /// The resources whose limit is the least.
  [[nodiscard]] std::vector<Resource> limiters() const;
};

/// Never throws: a kernel that cannot run has 0 blocks. See refusals() for the reasons.
Occupancy occupancy_of(const OccupancySpec& spec, const KernelResources& kernel);

/// What a launch asks for, its shared memory taken as dynamic.
KernelResources resources_of(const stream::LaunchShape& launch);

/// Throws InputError, naming all limits that are exceeded, when not even one block fits. The warp size is
/// that of the spec.
Occupancy theoretical_occupancy(const OccupancySpec& spec, const stream::LaunchShape& launch);

}  // namespace heddle::sim
