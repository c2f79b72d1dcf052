// Theoretical occupancy: how many blocks of a launch an SM can hold, and what binds.
// The rules are those of NVIDIA's occupancy calculator (cuda_occupancy.h of CUDA 13.0).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Of a resource that the kernel does not use.
inline constexpr std::uint32_t kNoBlockLimit = ~std::uint32_t{0};

/// Blocks an SM could hold if only this resource were limited.
struct BlockLimit {
  std::string resource;      ///< "warps", "blocks", "registers" or "shared"
  std::uint32_t blocks = 0;  ///< kNoBlockLimit where the kernel uses none of it.
};

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t warps_per_sm = 0;
  double occupancy = 0.0;             ///< warps_per_sm / most warps an SM holds, 0 to 1
  std::vector<BlockLimit> limits;     ///< All four, in the order warps, blocks, registers, shared.
  std::vector<std::string> limiters;  ///< The resources whose limit is the least.
  std::uint32_t shared_carveout = 0;  ///< Bytes: the least legal size that holds the blocks that fit, with
                                      ///< what the system reserves for each.
};

/// Throws InputError, naming all limits that are exceeded, when not even one block fits. The warp size is
/// that of the spec.
Occupancy theoretical_occupancy(const OccupancySpec& spec, const stream::LaunchShape& launch);

}  // namespace heddle::sim
