#include "sim/sm/host_prefetcher.h"

#include <algorithm>

#include "isa/base/host_prefetch.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

HostPrefetcher::HostPrefetcher(const Sm* next, Cycle begin, Cycle end)
    : next_(next), begin_(begin), end_(end) {
  if (next == nullptr) return;
  prefetch_bytes(next, sizeof *next);
  due_at_ = due_at(0);
}

/// The shares are due one after another, the last at the end.
Cycle HostPrefetcher::due_at(std::size_t slot) const {
  return begin_ + (end_ - begin_) * (slot + 1) / next_->warp_slots();
}

/// A warp, and with each quarter of them a step more of everything else.
void HostPrefetcher::host_prefetch_share() {
  const std::size_t slots = next_->warp_slots();
  const std::size_t shares = std::max<std::size_t>(1, slots / 4);
  next_->host_prefetch_warp(slot_);
  host_prefetch_more(slot_ / shares, slot_ % shares, shares);
  due_at_ = ++slot_ == slots ? kNever : due_at(slot_);
}

void HostPrefetcher::host_prefetch_more(std::size_t quarter, std::size_t share, std::size_t shares) {
  const auto host_prefetch_replies = [&](PrefetchStep step) {
    const std::size_t last = replies_.size() * (share + 1) / shares;
    for (std::size_t i = replies_.size() * share / shares; i < last; ++i)
      next_->host_prefetch(replies_[i], step);
  };
  switch (quarter) {
    case 0:
      if (share == 0) next_->host_prefetch_lists();
      next_->host_prefetch_sub_partition(share, PrefetchStep::Object);
      break;
    case 1:
      if (share == 0) next_->find_replies(end_, replies_);
      next_->host_prefetch_sub_partition(share, PrefetchStep::Pointees);
      host_prefetch_replies(PrefetchStep::Object);
      break;
    case 2:
      host_prefetch_replies(PrefetchStep::Pointees);
      break;
    case 3:
      host_prefetch_replies(PrefetchStep::PointeesOfPointees);
      break;
    default:
      break;
  }
}

}  // namespace heddle::sim
