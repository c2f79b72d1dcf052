// A block on an SM: its warps, and who waits at which of its barriers.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/types.h"
#include "isa/stream/block_barrier.h"
#include "sim/sm/grid.h"
#include "sim/sm/mbarriers.h"

namespace heddle::sim {

/// What exits of warps ask for comes first.
struct alignas(64) ResidentBlock {
  static constexpr std::size_t kHotBytes = 64;  ///< Up to `barriers`.

  std::vector<WarpSlot> slots;        ///< Warp i of the block lives in slots[i].
  std::uint32_t live_warps = 0;       ///< That have not exited.
  std::uint32_t resident_warps = 0;   ///< Those, and the ones whose stores have not left.
  std::uint64_t serial = 0;           ///< No other block of the SM has it.
  std::unique_ptr<BlockMbarriers> async;  ///< Null unless the block has used mbarriers or bulk copies.
  std::uint64_t finish_times = 0;  ///< Sum over finished warps of the cycle in which their slot became idle.
  std::uint32_t closed = 0;        ///< Bit i: warps have come to barrier i, which has not opened.
  BlockId id = 0;
  GridSlot grid = 0;
  std::array<stream::BlockBarrier, stream::kBarriersPerBlock> barriers;

  /// Calls `visit(number)` for each barrier to which warps have come, and which has not opened.
  template <typename Visitor>
  void for_each_closed(Visitor visit) const {
    for (std::uint32_t left = closed; left != 0; left &= left - 1) {
      visit(static_cast<unsigned>(std::countr_zero(left)));
    }
  }

  void open(unsigned barrier) {
    barriers[barrier].open();
    closed &= ~(std::uint32_t{1} << barrier);
  }
};

}  // namespace heddle::sim
