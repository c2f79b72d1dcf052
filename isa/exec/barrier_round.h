// The warps that meet once at a barrier that counts predicates, and the count.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/modifier.h"

namespace heddle::exec {

/// One round of a reducing barrier (BAR.RED). The block's warps share it until the last of them has read its
/// result.
class BarrierRound {
 public:
  /// Whether the warp's arrival begins another round: all have come to this one, or the warp itself has. A
  /// round without a count, 0, has taken in every warp that lives before one of them can come again.
  [[nodiscard]] bool is_over(std::uint32_t warp_in_block, std::uint32_t warps) const {
    return (warps != 0 && bit_count(members_) == warps) || (members_ >> warp_in_block & 1) != 0;
  }

  void add(std::uint32_t warp_in_block, LaneMask lanes, LaneMask holds) {
    members_ |= std::uint64_t{1} << warp_in_block;
    threads_ += lane_count(lanes);
    holding_ += lane_count(holds);
  }

  /// The number of threads in which the predicate holds; of AND and OR, whether it does: 1 or 0.
  [[nodiscard]] std::uint32_t result(ir::Modifier reduction) const {
    if (reduction == ir::Modifier::BarrierReductionAnd) return holding_ == threads_ ? 1 : 0;
    if (reduction == ir::Modifier::BarrierReductionOr) return holding_ != 0 ? 1 : 0;
    return holding_;
  }

 private:
  std::uint64_t members_ = 0;  // by their place in the block: a block has 64 warps at most
  std::uint32_t threads_ = 0;
  std::uint32_t holding_ = 0;
};

}  // namespace heddle::exec
