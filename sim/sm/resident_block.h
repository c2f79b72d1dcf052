// A block on an SM: its warps, and who waits at which of its barriers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/block_barrier.h"
#include "sim/sm/memory_barriers.h"

namespace heddle::sim {

struct ResidentBlock {
  BlockId id = 0;
  std::vector<WarpSlot> slots;        ///< Warp i of the block lives in slots[i].
  std::uint32_t live_warps = 0;       ///< That have not exited.
  std::uint32_t resident_warps = 0;   ///< Those, and the ones whose stores have not left.
  std::uint64_t serial = 0;           ///< No other block of the SM has it.
  std::unique_ptr<BlockAsync> async;  ///< Null unless the block has used mbarriers or bulk copies.
  std::uint64_t finish_times = 0;  ///< Sum over finished warps of the cycle in which their slot became idle.
  std::array<stream::BlockBarrier, stream::kBarriersPerBlock> barriers;
};

}  // namespace heddle::sim
