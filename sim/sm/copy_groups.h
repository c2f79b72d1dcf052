// The asynchronous copies of a warp that are under way, by groups: LDGSTS adds one to the open group,
// LDGDEPBAR closes it, and a wait asks when all closed groups but the last few are done.
//
// Within them lie batches, for arrivals at mbarriers that wait for what the warp has begun so far: such a one
// ends a batch, but no group. Who closes a group ends a batch, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/sm/ready_time.h"

namespace heddle::sim {

/// The copy groups of one warp, in its WarpContext. They change when it issues, and when one of its copies is
/// done.
class CopyGroups {
 public:
  /// A copy joins the open group, and the open batch, whose number this is.
  std::uint32_t add(Cycle now) {
    std::erase_if(batches_,
                  [now](const Batch& batch) { return batch.under_way == 0 && batch.done_at.cycle() <= now; });
    if (batches_.empty() || batches_.back().number != open_batch_)
      batches_.push_back({open_batch_, open_group_, 0, ReadyTime()});
    ++batches_.back().under_way;
    return open_batch_;
  }

  void close_group() {
    ++open_group_;
    ++open_batch_;
  }

  /// Returns the number of the batch that is ended now.
  std::uint32_t end_batch() { return open_batch_++; }

  /// It has become known when a copy of that batch is done.
  void done(std::uint32_t number, ReadyTime at) {
    const auto batch = std::find_if(batches_.begin(), batches_.end(),
                                    [number](const Batch& each) { return each.number == number; });
    batch->done_at = std::max(batch->done_at, at);
    --batch->under_way;
  }

  /// When all closed groups but the last `left` are done.
  [[nodiscard]] ReadyTime done_at(std::uint32_t left) const {
    return done_while([&](const Batch& batch) { return batch.group + left < open_group_; });
  }

  /// When all batches up to this one are done.
  [[nodiscard]] ReadyTime done_through(std::uint32_t number) const {
    return done_while([number](const Batch& batch) { return batch.number <= number; });
  }

  void clear() {
    open_group_ = 0;
    open_batch_ = 0;
    batches_.clear();
  }

 private:
  /// Copies that an arrival or the end of a group holds together.
  struct Batch {
    std::uint32_t number;
    std::uint32_t group;
    std::uint32_t under_way;
    ReadyTime done_at;  // as far as it is known
  };

  /// When the first batches are done, as far as they are `wanted`.
  template <typename Wanted>
  [[nodiscard]] ReadyTime done_while(Wanted wanted) const {
    ReadyTime at;
    for (const Batch& batch : batches_) {
      if (!wanted(batch)) break;
      at = std::max(
          at, batch.under_way == 0 ? batch.done_at : ReadyTime::pending(ir::StallReason::LongScoreboard));
    }
    return at;
  }

  std::uint32_t open_group_ = 0;
  std::uint32_t open_batch_ = 0;
  std::vector<Batch> batches_;  // by number; only those whose copies matter
};

}  // namespace heddle::sim
