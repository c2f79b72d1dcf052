#include "sim/sm/host_prefetcher.h"

#include <algorithm>

#include "isa/base/host_prefetch.h"
#include "isa/stream/host_prefetchable.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

namespace {

/// What the warp's instructions touch.
void host_prefetch_issues(const stream::HostPrefetchable* hints, WarpSlot slot, const WarpContext& warp) {
  if (hints != nullptr) hints->host_prefetch(slot, PrefetchStep::Pointees);
  prefetch_bytes(warp.results.data(), warp.results.size() * sizeof(ReadyTime));
}

/// The warp of the slot, if there is one; in the order of the slots.
void host_prefetch_warp(const SmView& sm, WarpSlot slot) {
  prefetch_ahead(sm.warps.all(), slot);
  const WarpContext& warp = sm.warps[slot];
  if (warp.source == nullptr) return;
  const stream::HostPrefetchable* hints = sm.grids[warp.grid].hints;
  if (hints != nullptr) hints->host_prefetch(slot, PrefetchStep::Object);
  if (!warp.waits_for_memory) host_prefetch_issues(hints, slot, warp);
}

/// A sub-partition, if there are so many, and its queue, in two steps.
void host_prefetch_sub_partition(const SmView& sm, std::size_t number, PrefetchStep step) {
  if (number >= sm.sub_partitions.size()) return;
  sm.sub_partitions[number].host_prefetch(step);
  sm.lsu.host_prefetch_queue(static_cast<unsigned>(number), step);
}

/// What Inbox::find() looks at, and the blocks.
void host_prefetch_lists(const SmView& sm) {
  sm.inbox.host_prefetch();
  prefetch_bytes(sm.blocks.all().data(), sm.blocks.all().size_bytes());
}

/// In three steps; with the last one also the warp that waits for it: no other will go on.
void host_prefetch_reply(const SmView& sm, const MemoryReply& reply, PrefetchStep step) {
  sm.lsu.host_prefetch(reply, step);
  if (step != PrefetchStep::PointeesOfPointees) return;
  const WarpSlot slot = sm.lsu.owner_of(reply).slot;
  const WarpContext& warp = sm.warps[slot];
  if (warp.source != nullptr) host_prefetch_issues(sm.grids[warp.grid].hints, slot, warp);
}

}  // namespace

/// The shares are due one after another, the last at the end.
HostPrefetcher::HostPrefetcher(const Sm* next, Cycle begin, Cycle end)
    : next_(next), begin_(begin), end_(end) {
  if (next == nullptr) return;
  prefetch_bytes(next, sizeof *next);
  slots_ = next->view().warps.all().size();
  shares_ = std::max<std::size_t>(1, slots_ / 4);
  step_ = ((end - begin) << kFractionBits) / slots_;
  due_at_ = due_at(0);
}

/// A warp, and with each quarter of them a step more of everything else.
void HostPrefetcher::host_prefetch_share() {
  host_prefetch_warp(next_->view(), static_cast<WarpSlot>(slot_));
  host_prefetch_more();
  if (++share_ == shares_) {
    share_ = 0;
    ++quarter_;
  }
  due_at_ = ++slot_ == slots_ ? kNever : due_at(slot_);
}

void HostPrefetcher::host_prefetch_more() {
  const SmView next = next_->view();
  switch (quarter_) {
    case 0:
      if (share_ == 0) host_prefetch_lists(next);
      host_prefetch_sub_partition(next, share_, PrefetchStep::Object);
      break;
    case 1:
      if (share_ == 0) {
        next.inbox.find(end_, replies_);
        replies_of_share_ = divide_up(replies_.size(), shares_);
      }
      host_prefetch_sub_partition(next, share_, PrefetchStep::Pointees);
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

/// Those of the share.
void HostPrefetcher::host_prefetch_replies(PrefetchStep step) const {
  const SmView next = next_->view();
  const std::size_t end = std::min(replies_.size(), (share_ + 1) * replies_of_share_);
  for (std::size_t i = share_ * replies_of_share_; i < end; ++i) host_prefetch_reply(next, replies_[i], step);
}

}  // namespace heddle::sim
