// The asynchronous copies of a warp that are under way, by groups: LDGSTS adds one to the open group,
// LDGDEPBAR closes it, and a wait asks when all closed groups but the last few are done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/stamp.h"

namespace heddle::sim {

class CopyGroups {
 public:
  /// A copy joins the open group, whose number this is.
  std::uint32_t add(Cycle now) {
    std::erase_if(groups_,
                  [now](const Group& group) { return group.under_way == 0 && group.done_at.cycle() <= now; });
    if (groups_.empty() || groups_.back().number != open_) groups_.push_back({open_, 0, Stamp()});
    ++groups_.back().under_way;
    return open_;
  }

  /// Returns the number of the group that is closed now.
  std::uint32_t close() { return open_++; }

  /// It has become known when a copy of that group is done.
  void done(std::uint32_t number, Stamp at) {
    const auto group = std::find_if(groups_.begin(), groups_.end(),
                                    [number](const Group& each) { return each.number == number; });
    group->done_at = std::max(group->done_at, at);
    --group->under_way;
  }

  /// When all closed groups but the last `left` are done.
  [[nodiscard]] Stamp done_at(std::uint32_t left) const {
    return left < open_ ? done_through(open_ - left - 1) : Stamp();
  }

  /// When all groups up to this one are done.
  [[nodiscard]] Stamp done_through(std::uint32_t number) const {
    Stamp at;
    for (const Group& group : groups_) {
      if (group.number > number) break;
      at = std::max(at,
                    group.under_way == 0 ? group.done_at : Stamp::pending(ir::StallReason::LongScoreboard));
    }
    return at;
  }

  void clear() {
    open_ = 0;
    groups_.clear();
  }

 private:
  struct Group {
    std::uint32_t number;
    std::uint32_t under_way;
    Stamp done_at;  // as far as it is known
  };

  std::uint32_t open_ = 0;
  std::vector<Group> groups_;  // by number; only those whose copies matter
};

}  // namespace heddle::sim
