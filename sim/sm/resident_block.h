// A block on an SM.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/grid.h"

namespace heddle::sim {

/// The block from its start until its last warp has left.
struct alignas(64) ResidentBlock {
  std::vector<WarpSlot> slots;       ///< Warp i of the block lives in slots[i].
  std::uint32_t live_warps = 0;      ///< Warps that have not exited.
  std::uint32_t resident_warps = 0;  ///< Live warps, and warps whose last stores have not left the SM.
  std::uint64_t serial = 0;          ///< No other block of the SM has it.
  std::uint64_t finish_times = 0;  ///< Sum over finished warps of the cycle in which their slot became idle.
  BlockId id = 0;
  const Grid* grid = nullptr;
};

}  // namespace heddle::sim
