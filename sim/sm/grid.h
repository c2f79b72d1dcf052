// A grid on the device: what its blocks have in common, and what a block points to.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "isa/stream/warp_source.h"

namespace heddle::sim {

/// Names a grid among those that run on the device at once; when it has ended, the slot may be another's.
using GridSlot = std::uint8_t;

/// Grids that can run on a device at once: as many as the CUDA Programming Guide's table of technical
/// specifications has for most compute capabilities since 3.5.
inline constexpr unsigned kMostGrids = 128;

/// Numbers the grids of a device in the order in which they were submitted.
using GridId = std::uint32_t;

/// Local memory of different grids lies apart: so far above where their sources say. Beyond 48 bits there are
/// no other addresses.
constexpr Addr local_memory_of(GridSlot slot) { return Addr{slot} << 48; }

/// What SMs have to know of a launch; its code is its source's.
struct Grid {
  GridId id = 0;
  GridSlot slot = 0;
  stream::LaunchShape shape;
  std::uint64_t instructions = 0;   ///< Instructions of the kernel; 0: not known.
  std::uint32_t blocks_per_sm = 0;  ///< Theoretical occupancy.
  std::uint32_t places = 0;         ///< Blocks an SM can get at once: fewer if the grid is small.
  std::uint64_t l1_bytes = 0;       ///< What its carve-out for shared memory leaves.
};

}  // namespace heddle::sim
