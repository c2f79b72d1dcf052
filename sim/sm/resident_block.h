// A block on an SM: its warps, and who waits at which of its barriers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"

namespace heddle::sim {

/// Named barriers a block has, as on every GPU since compute capability 2.0.
inline constexpr unsigned kBarriersPerBlock = 16;

struct ResidentBlock {
  struct BarrierState {
    Pc pc = 0;                      ///< Where the warps that wait have arrived.
    std::vector<WarpSlot> waiting;
  };

  BlockId id = 0;
  std::vector<WarpSlot> slots;      ///< Warp i of the block lives in slots[i].
  std::uint32_t live_warps = 0;
  std::uint64_t finish_times = 0;   ///< Sum over finished warps of the cycle after their last issue.
  std::array<BarrierState, kBarriersPerBlock> barriers;
};

}  // namespace heddle::sim
