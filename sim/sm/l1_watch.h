// Tells the warp schedulers that want to know what L1 does to their warps.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sm/sub_partition.h"

namespace heddle::sim {

/// Passes what L1 does from the load/store unit to the sub-partitions' schedulers. An SM has one, in use only
/// if its policy watches L1.
class L1Watch {
 public:
  /// Warp slots belong to sub-partitions by turns.
  explicit L1Watch(std::vector<SubPartition>& sub_partitions) : sub_partitions_(&sub_partitions) {}

  /// `load.warp` is a slot of the SM here.
  void loaded(LoadSeen load) {
    const auto count = static_cast<unsigned>(sub_partitions_->size());
    SubPartition& sub_partition = (*sub_partitions_)[load.warp % count];
    load.warp /= count;
    sub_partition.loaded(load);
  }

  /// A line that the warp of this slot has asked for has come to a place of L1. The victim is lost to the
  /// warp that had brought it.
  void filled(std::size_t place, std::uint64_t line, std::uint16_t slot) {
    if (brought_.size() <= place) brought_.resize(place + 1);
    Brought& before = brought_[place];
    const auto count = static_cast<unsigned>(sub_partitions_->size());
    if (before.is_there) (*sub_partitions_)[before.slot % count].lost(before.slot / count, before.line);
    before = {true, slot, line};
  }
  /// L1 is empty.
  void emptied() { brought_.clear(); }

 private:
  /// The line in a place of L1, and the warp that brought it there.
  struct Brought {
    bool is_there = false;
    std::uint16_t slot = 0;
    std::uint64_t line = 0;
  };

  std::vector<SubPartition>* sub_partitions_;
  std::vector<Brought> brought_;  // by place in L1
};

}  // namespace heddle::sim
