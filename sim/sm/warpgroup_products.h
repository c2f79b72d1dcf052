// The warpgroup products of a warp that are under way, by groups: the one that is marked gsb0 closes its
// group, and a wait asks when all closed groups but the last few are done. They share the warp's tensor pipe,
// so that they end in their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/ready_time.h"

namespace heddle::sim {

/// The products of one warp. The Scoreboard has one beside each warp.
class WarpgroupProducts {
 public:
  /// A product issues at `now` and is done later.
  void add(Cycle now, Cycle done, bool closes_group) {
    last_ = std::max(last_, done);
    if (!closes_group) return;
    std::erase_if(closed_, [now](Cycle group) { return group <= now; });
    closed_.push_back(last_);
  }

  /// When all closed groups but the last `left` are done.
  [[nodiscard]] ReadyTime done_at(std::uint32_t left) const {
    if (closed_.size() <= left) return {};
    return {closed_[closed_.size() - 1 - left], ir::StallReason::Gmma};
  }

  [[nodiscard]] ReadyTime all_done() const { return {last_, ir::StallReason::Gmma}; }

  void clear() {
    last_ = 0;
    closed_.clear();
  }

 private:
  Cycle last_ = 0;             // when all are done
  std::vector<Cycle> closed_;  // when each group is, those left out that are
};

}  // namespace heddle::sim
