// Replies on their way to an SM: delivered between quanta in any order, taken in the order of time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "isa/base/types.h"
#include "sim/memory/request.h"

namespace heddle::sim {

/// The replies of one SM. The exchange fills it; the SM takes a reply in the first part of the cycle in which
/// it arrives.
class Inbox {
 public:
  /// Adds a reply. Its time is not before the next quantum.
  void deliver(const MemoryReply& reply) {
    delivered_.push_back(reply);
    first_delivered_ = std::min(first_delivered_, reply.time);
  }

  /// When the first reply arrives that has not been taken; kNever if there is none.
  [[nodiscard]] Cycle next() const {
    return taken_ == sorted_.size() ? first_delivered_ : std::min(first_delivered_, sorted_[taken_].time);
  }

  /// Sorts in what was delivered. The exchange delivers to all SMs, one after the other; each SM sorts for
  /// itself, when its quantum begins.
  void open();

  /// Calls take(reply) for each reply that has arrived by `now`, in the order of time. Replies of the same
  /// time are ordered by what they say, so that the order is the same in every run.
  template <typename Take>
  void take_until(Cycle now, Take take) {
    while (taken_ != sorted_.size() && sorted_[taken_].time <= now) take(sorted_[taken_++]);
  }

  // -- prefetching into the host's caches: changes no result ------------------------------------------------
  void host_prefetch() const;
  /// Finds the replies that will be taken before `end`, in any order.
  void find(Cycle end, std::vector<MemoryReply>& found) const;

 private:
  std::vector<MemoryReply> sorted_;     // from taken_ on
  std::size_t taken_ = 0;               // since open()
  std::vector<MemoryReply> delivered_;  // since open()
  Cycle first_delivered_ = kNever;
};

}  // namespace heddle::sim
