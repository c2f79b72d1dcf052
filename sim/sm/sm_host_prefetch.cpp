// What of an SM the host will soon want in its cache; see HostPrefetcher.
#include "isa/base/host_prefetch.h"
#include "isa/stream/host_prefetchable.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

void Sm::host_prefetch_warp(WarpSlot slot) const {
  prefetch_ahead(warps_, slot);
  if (warps_[slot].source == nullptr) return;
  const stream::HostPrefetchable* hints = grids_[warps_[slot].grid].hints;
  if (hints != nullptr) hints->host_prefetch(slot, PrefetchStep::Object);
  if (!warps_[slot].waits_for_memory) host_prefetch_issues(slot);
}

/// What the warp's instructions touch.
void Sm::host_prefetch_issues(WarpSlot slot) const {
  if (warps_[slot].source == nullptr) return;
  const stream::HostPrefetchable* hints = grids_[warps_[slot].grid].hints;
  if (hints != nullptr) hints->host_prefetch(slot, PrefetchStep::Pointees);
  const std::vector<ReadyTime>& results = warps_[slot].results;
  prefetch_bytes(results.data(), results.size() * sizeof(ReadyTime));
}

/// With the last step also the warp that waits for it: no other will go on.
void Sm::host_prefetch(const MemoryReply& reply, PrefetchStep step) const {
  lsu_.host_prefetch(reply, step);
  if (step == PrefetchStep::PointeesOfPointees) host_prefetch_issues(lsu_.owner_of(reply).slot);
}

void Sm::host_prefetch_sub_partition(std::size_t number, PrefetchStep step) const {
  if (number >= sub_partitions_.size()) return;
  sub_partitions_[number].host_prefetch(step);
  lsu_.host_prefetch_queue(static_cast<unsigned>(number), step);
}

void Sm::host_prefetch_lists() const {
  inbox_.host_prefetch();
  for (const ResidentBlock& block : blocks_.all()) prefetch_bytes(&block, ResidentBlock::kHotBytes);
}

}  // namespace heddle::sim
