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
  inbox_.announce();
  for (const ResidentBlock& block : blocks_.all()) prefetch(&block, ResidentBlock::kHotBytes);
}

}  // namespace heddle::sim
