#include "sim/sm/mio_queues.h"

#include <algorithm>

namespace heddle::sim {

MioQueues::MioQueues(const GpuSpec& spec)
    : spec_(spec.sm.mio), queues_(spec.sm.sub_partitions), queued_(spec.occupancy.max_warps) {
  for (Queue& queue : queues_) queue.ring.resize(spec.sm.mio.queue_depth);
}

bool MioQueues::has_grid(GridSlot slot) const {
  for (const Queue& queue : queues_) {
    for (std::uint32_t i = 0; i < queue.count; ++i) {
      if (queue.ring[(queue.head + i) % queue.ring.size()].owner.grid == slot) return true;
    }
  }
  return false;
}

void MioQueues::Queue::pop() {
  head = head + 1 == ring.size() ? 0 : head + 1;
  first_arrival = --count == 0 ? kNever : ring[head].arrival;
}

void MioQueues::pop() {
  --queued_[front().owner.slot];
  queues_[first_].pop();
  freed_ |= 1U << first_;
  Cycle arrival = queues_[0].first_arrival;
  unsigned first = 0;
  for (unsigned i = 1; i < queues_.size(); ++i) {
    const Cycle other = queues_[i].first_arrival;
    first = other < arrival ? i : first;
    arrival = std::min(arrival, other);
  }
  first_ = first;
}

void MioQueues::host_prefetch(unsigned sub_partition, PrefetchStep step) const {
  const Queue& queue = queues_[sub_partition];
  if (step == PrefetchStep::Object) return prefetch_bytes(&queue, sizeof queue);
  constexpr std::size_t kUsual = 128;  // an access to one or two lines, and their number
  for (const MioEntry& entry : queue.ring) prefetch_bytes(&entry, kUsual);
}

}  // namespace heddle::sim
