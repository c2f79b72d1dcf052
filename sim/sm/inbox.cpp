#include "sim/sm/inbox.h"

#include <tuple>
#include <utility>

#include "isa/base/host_prefetch.h"

namespace heddle::sim {

namespace {

bool earlier(const MemoryReply& a, const MemoryReply& b) {
  return std::tie(a.time, a.tag, a.sectors) < std::tie(b.time, b.tag, b.sectors);
}

}  // namespace

// What was delivered mostly comes behind what is there.
void Inbox::open() {
  sorted_.erase(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(std::exchange(taken_, 0)));
  std::sort(delivered_.begin(), delivered_.end(), earlier);
  const auto before = static_cast<std::ptrdiff_t>(sorted_.size());
  sorted_.insert(sorted_.end(), delivered_.begin(), delivered_.end());
  if (before != 0 && !delivered_.empty() && earlier(delivered_.front(), *(sorted_.begin() + before - 1))) {
    std::inplace_merge(sorted_.begin(), sorted_.begin() + before, sorted_.end(), earlier);
  }
  delivered_.clear();
  first_delivered_ = kNever;
}

void Inbox::host_prefetch() const {
  for (const std::vector<MemoryReply>* replies : {&sorted_, &delivered_}) {
    prefetch_bytes(replies->data(), replies->size() * sizeof(MemoryReply));
  }
}

void Inbox::find(Cycle end, std::vector<MemoryReply>& found) const {
  found.clear();
  for (std::size_t i = taken_; i < sorted_.size() && sorted_[i].time < end; ++i) found.push_back(sorted_[i]);
  for (const MemoryReply& reply : delivered_) {
    if (reply.time < end) found.push_back(reply);
  }
}

}  // namespace heddle::sim
