// While an SM runs, fetches into the host's cache what the one that runs after it will touch.
//
// The SMs of a GPU do not fit the host's second-level cache, and each is back only when all others have run.
// What the next one holds is prefetched little by little, for the host takes only so many lines at a time;
// and in steps, for a pointer must be there before what it points to can be prefetched. It changes no result.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/base/host_prefetch.h"
#include "isa/base/types.h"
#include "sim/memory/request.h"

namespace heddle::sim {

class Sm;

/// The prefetching for one SM during the quantum of another.
class HostPrefetcher {
 public:
  /// `next` will run from `begin` to `end`, as the SM does that runs now; null: there is none.
  HostPrefetcher(const Sm* next, Cycle begin, Cycle end);
  /// The SM that runs has come to `now`, no later than `end`; by then, all has been prefetched.
  void keep_up(Cycle now) {
    while (now >= due_at_) host_prefetch_share();
  }

 private:
  // The time from one share to the next in fractions of a cycle: no share divides anything.
  static constexpr unsigned kFractionBits = 16;

  [[nodiscard]] Cycle due_at(std::size_t slot) const {
    return begin_ + (step_ * (slot + 1) >> kFractionBits);
  }
  void host_prefetch_share();
  void host_prefetch_more();
  void host_prefetch_replies(PrefetchStep step) const;

  const Sm* next_;
  Cycle begin_;
  Cycle end_;
  Cycle step_ = 0;
  Cycle due_at_ = kNever;             // the next share, if there is one
  std::size_t slots_ = 0;             // so many shares
  std::size_t slot_ = 0;              // whose warp belongs to the next
  std::size_t quarter_ = 0;           // which it belongs to
  std::size_t share_ = 0;             // the next share of it,
  std::size_t shares_ = 1;            // and how many shares it has
  std::vector<MemoryReply> replies_;  // that the next SM will take
  std::size_t replies_of_share_ = 0;
};

}  // namespace heddle::sim
