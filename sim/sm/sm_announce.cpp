// What of an SM the host will soon want in its cache; see Announcer.
#include "isa/base/prefetch.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

void Sm::announce_warp(WarpSlot slot) const {
  prefetch_ahead(warps_, slot);  // the warp says where its results lie
  source_->announce(slot);
  const std::vector<Stamp>& results = warps_[slot].results;
  prefetch(results.data(), results.size() * sizeof(Stamp));
}

void Sm::announce_sub_partition(std::size_t number, Reach reach) const {
  if (number >= sub_partitions_.size()) return;
  sub_partitions_[number].announce(reach);
  lsu_.announce_queue(static_cast<unsigned>(number), reach);
}

void Sm::announce_lists() const {
  for (const std::vector<MemoryReply>* replies : {&inbox_, &delivered_}) {
    prefetch(replies->data(), replies->size() * sizeof(MemoryReply));
  }
  for (const ResidentBlock& block : blocks_) prefetch(&block, ResidentBlock::kHotBytes);
}

void Sm::find_replies(Cycle end, std::vector<MemoryReply>& found) const {
  found.clear();
  for (std::size_t i = taken_; i < inbox_.size() && inbox_[i].time < end; ++i) found.push_back(inbox_[i]);
  for (const MemoryReply& reply : delivered_) {
    if (reply.time < end) found.push_back(reply);
  }
}

}  // namespace heddle::sim
