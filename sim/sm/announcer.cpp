#include "sim/sm/announcer.h"

#include <algorithm>

#include "isa/base/prefetch.h"
#include "sim/sm/sm.h"

namespace heddle::sim {

Announcer::Announcer(const Sm* next, Cycle begin, Cycle end) : next_(next), begin_(begin), end_(end) {
  if (next == nullptr) return;
  prefetch(next, sizeof *next);
  due_at_ = due_at(0);
}

/// The shares are due one after another, the last at the end.
Cycle Announcer::due_at(std::size_t slot) const {
  return begin_ + (end_ - begin_) * (slot + 1) / next_->warp_slots();
}

/// A warp, and with each quarter of them a step more of everything else.
void Announcer::announce_share() {
  const std::size_t slots = next_->warp_slots();
  const std::size_t shares = std::max<std::size_t>(1, slots / 4);
  next_->announce_warp(slot_);
  announce_more(slot_ / shares, slot_ % shares, shares);
  due_at_ = ++slot_ == slots ? kNever : due_at(slot_);
}

void Announcer::announce_more(std::size_t quarter, std::size_t share, std::size_t shares) {
  const auto announce_replies = [&](Reach reach) {
    const std::size_t last = replies_.size() * (share + 1) / shares;
    for (std::size_t i = replies_.size() * share / shares; i < last; ++i) next_->announce(replies_[i], reach);
  };
  switch (quarter) {
    case 0:
      if (share == 0) next_->announce_lists();
      next_->announce_sub_partition(share, Reach::Itself);
      break;
    case 1:
      if (share == 0) next_->find_replies(end_, replies_);
      next_->announce_sub_partition(share, Reach::WhatItNames);
      announce_replies(Reach::Itself);
      break;
    case 2:
      announce_replies(Reach::WhatItNames);
      break;
    case 3:
      announce_replies(Reach::WhatThoseName);
      break;
    default:
      break;
  }
}

}  // namespace heddle::sim
