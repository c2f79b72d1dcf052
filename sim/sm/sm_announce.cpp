// What of an SM the host will soon want in its cache; see Announcer.
#include "isa/base/prefetch.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

void Sm::announce_warp(WarpSlot slot) const {
  prefetch_ahead(warps_, slot);
  if (warps_[slot].source == nullptr) return;
  warps_[slot].source->announce(slot, Reach::Itself);
  if (!warps_[slot].waits_for_memory) announce_issues(slot);
}

/// What the warp's instructions touch.
void Sm::announce_issues(WarpSlot slot) const {
  if (warps_[slot].source == nullptr) return;
  warps_[slot].source->announce(slot, Reach::WhatItNames);
  const std::vector<Stamp>& results = warps_[slot].results;
  prefetch(results.data(), results.size() * sizeof(Stamp));
}

/// With the last step also the warp that waits for it: no other will go on.
void Sm::announce(const MemoryReply& reply, Reach reach) const {
  lsu_.announce(reply, reach);
  if (reach == Reach::WhatThoseName) announce_issues(lsu_.owner_of(reply).slot);
}

void Sm::announce_sub_partition(std::size_t number, Reach reach) const {
  if (number >= sub_partitions_.size()) return;
  sub_partitions_[number].announce(reach);
  lsu_.announce_queue(static_cast<unsigned>(number), reach);
}

void Sm::announce_lists() const {
  inbox_.announce();
  for (const ResidentBlock& block : blocks_.all()) prefetch(&block, ResidentBlock::kHotBytes);
}

}  // namespace heddle::sim
