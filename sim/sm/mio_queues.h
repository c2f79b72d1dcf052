// The MIO queues of an SM, one for each sub-partition: instructions for the load/store unit, on their way to
// the stage that all sub-partitions share.
//
// An instruction arrives at the stage front_latency after its issue, but no earlier than address_interval
// after the one before it in its queue. The stage takes them in the order of arrival.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "isa/base/host_prefetch.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/coalescer.h"
#include "sim/sm/result_owner.h"

namespace heddle::sim {

/// An instruction on its way, and what it will ask of the stage. An access to one or two lines lies in one
/// line of the host's cache.
struct alignas(64) MioEntry {
  Cycle arrival = 0;
  ResultOwner owner;
  std::uint32_t passes = 1;                        ///< Passes over the banks, or turns at the tags of lines.
  std::uint16_t copy_passes = 1;                   ///< Passes of a copy that writes shared memory.
  bool leaves_sectors = false;                     ///< A store that leaves sectors in L1.
  LineAccesses lines;                              ///< Global and local memory only.
  std::array<std::uint32_t, kMaxWarpSize> left{};  ///< The sectors that it leaves, by line, if it leaves any.
  Cycle issued = 0;
};

/// The four queues, and which of their instructions the stage takes next. They change when a warp issues, and
/// when the load/store unit advances.
class MioQueues {
 public:
  explicit MioQueues(const GpuSpec& spec);

  // -- the sub-partitions' side -----------------------------------------------------------------------------
  [[nodiscard]] bool has_room(unsigned sub_partition) const {
    return queues_[sub_partition].count < spec_.queue_depth;
  }
  /// Whether instructions of the warp are in a queue.
  [[nodiscard]] bool has(WarpSlot slot) const { return queued_[slot] != 0; }
  /// Whether instructions of the grid are in a queue.
  [[nodiscard]] bool has_grid(GridSlot slot) const;
  /// An instruction issues at `now` and enters; there must be room. The caller fills the rest in.
  MioEntry& push(unsigned sub_partition, const ResultOwner& owner, Cycle now);
  /// Queues that have got room since the last look; bit i is sub-partition i's.
  std::uint32_t take_freed() { return std::exchange(freed_, 0U); }
  /// Prefetches, into the host's caches, what push() and pop() will need, in two steps. It changes no result.
  void host_prefetch(unsigned sub_partition, PrefetchStep step) const;

  // -- the stage's side -------------------------------------------------------------------------------------
  /// When the first instruction arrives; kNever if there is none.
  [[nodiscard]] Cycle first_arrival() const { return queues_[first_].first_arrival; }
  /// The first instruction.
  [[nodiscard]] MioEntry& front() { return queues_[first_].front(); }
  void pop();

 private:
  /// One sub-partition's queue: a ring of entries, in the order of their arrival.
  struct Queue {
    std::vector<MioEntry> ring;
    std::uint32_t head = 0;
    std::uint32_t count = 0;
    Cycle first_arrival = kNever;  // when the entry at the head arrives; kNever if there is none
    Cycle last_arrival = 0;

    [[nodiscard]] MioEntry& front() { return ring[head]; }
    void pop();
  };

  /// Whether the first entry of `one` arrived before that of `other`; at a tie the lower number wins.
  [[nodiscard]] bool comes_before(unsigned one, unsigned other) const {
    const Cycle arrival = queues_[one].first_arrival;
    const Cycle other_arrival = queues_[other].first_arrival;
    return arrival < other_arrival || (arrival == other_arrival && one < other);
  }

  MioSpec spec_;
  std::vector<Queue> queues_;
  unsigned first_ = 0;                 // whose entry the stage takes next
  std::uint32_t freed_ = 0;            // bit i: sub-partition i
  std::vector<std::uint32_t> queued_;  // by warp slot
};

static_assert(kMostSubPartitions <= 32);

// Here, so that the owner is put together where it stays: the host waits for a copy of what was just written.
inline MioEntry& MioQueues::push(unsigned sub_partition, const ResultOwner& owner, Cycle now) {
  Queue& queue = queues_[sub_partition];
  const std::size_t place = std::size_t{queue.head} + queue.count++;
  MioEntry& entry = queue.ring[place < spec_.queue_depth ? place : place - spec_.queue_depth];
  ++queued_[owner.slot];
  entry.owner = owner;
  entry.issued = now;
  entry.arrival = std::max(now + spec_.front_latency, queue.last_arrival + spec_.address_interval);
  queue.last_arrival = entry.arrival;
  if (queue.count == 1) {
    queue.first_arrival = entry.arrival;
    if (comes_before(sub_partition, first_)) first_ = sub_partition;
  }
  return entry;
}

}  // namespace heddle::sim
