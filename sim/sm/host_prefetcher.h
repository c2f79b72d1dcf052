// While an SM runs, fetches into the host's cache what the one that runs after it will touch.
//
// The SMs of a GPU do not fit the host's second-level cache, and each is back only when all others have run.
// What the next one holds is announced little by little, for the host takes only so many lines at a time; and
// in steps, for what it names can only be announced when it is there. Only the host's speed can tell.
#pragma once

#include <cstddef>
#include <vector>

#include "isa/base/types.h"
#include "sim/memory/request.h"

namespace heddle::sim {

class Sm;

class HostPrefetcher {
 public:
  /// `next` will run from `begin` to `end`, as the SM does that runs now; null: there is none.
  HostPrefetcher(const Sm* next, Cycle begin, Cycle end);
  /// The SM that runs has come to `now`, no later than `end`; by then, all has been announced.
  void keep_up(Cycle now) {
    while (now >= due_at_) host_prefetch_share();
  }

 private:
  [[nodiscard]] Cycle due_at(std::size_t slot) const;
  void host_prefetch_share();
  void host_prefetch_more(std::size_t quarter, std::size_t share, std::size_t shares);

  const Sm* next_;
  Cycle begin_;
  Cycle end_;
  Cycle due_at_ = kNever;             // the next share, if there is one
  WarpSlot slot_ = 0;                 // whose warp belongs to it
  std::vector<MemoryReply> replies_;  // that the next SM will take
};

}  // namespace heddle::sim
