// The barrier of a cluster of one block, as the block's warps come to it and wait at it.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

/// Rounds of the barrier: one is over when all warps that live have come.
class ClusterRound {
 public:
  void start_block(std::uint32_t warps) {
    awaited_.assign(warps, 0);
    over_ = came_ = 0;
  }
  void arrive(WarpSlot slot) {
    awaited_[slot] = over_ + 1;
    ++came_;
  }
  /// The warp has exited.
  void leave(WarpSlot slot) {
    if (!is_over_for(slot)) --came_;
  }
  /// Whether the round that the warp has come to is over.
  [[nodiscard]] bool is_over_for(WarpSlot slot) const { return awaited_[slot] <= over_; }
  /// Ends the round, if so many warps are all that live. Returns whether it did.
  bool end_if_complete(std::uint32_t live_warps) {
    if (came_ == 0 || came_ < live_warps) return false;
    ++over_;
    came_ = 0;
    return true;
  }

 private:
  std::vector<std::uint32_t> awaited_;  // by warp: the round, counted from 1
  std::uint32_t over_ = 0;              // rounds
  std::uint32_t came_ = 0;
};

}  // namespace heddle::exec
