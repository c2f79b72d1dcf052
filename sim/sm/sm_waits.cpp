// What warps wait for besides results: barriers, sleep, fences, groups of asynchronous copies.
#include <algorithm>
#include <cmath>

#include "sim/sm/sm.h"

namespace heddle::sim {

/// After an instruction that may hold its warp back. A barrier to which no lane comes does not; a fence
/// always does.
void Sm::go_on(WarpSlot slot, const stream::StaticOp& op, const stream::WarpStep& step, Cycle now) {
  const bool comes = step.executed != 0;
  switch (op.kind) {
    case stream::OpKind::Barrier:
    case stream::OpKind::BarrierReduce:
    case stream::OpKind::BarrierArrive:
      if (comes) return arrive(slot, op, step.barrier, now);
      break;
    case stream::OpKind::Fence:
      return sub_partition_of(warps_[slot]).block(warps_[slot].place, now + 1, ir::StallReason::Membar);
    case stream::OpKind::Sleep: {
      const Cycle end = now + std::max<Cycle>(cycles_of(step.nanoseconds), 1);
      return resume(slot, now + 1, Stamp(end, ir::StallReason::Sleeping));
    }
    case stream::OpKind::CommitCopies:
      warps_[slot].copies.close();
      break;
    default:
      break;
  }
  resume(slot, now + 1, Stamp(now + 1, ir::StallReason::Wait));
}

/// What the warp's next instruction waits for in memory: a fence for all that was loaded, a wait for groups
/// of copies for these.
Stamp Sm::memory_wait(const WarpContext& warp) const {
  if (warp.next->kind == stream::OpKind::AwaitCopies) return warp.copies.done_at(warp.next->groups_left);
  return *std::max_element(warp.results.begin(), warp.results.end());
}

Cycle Sm::cycles_of(std::uint32_t nanoseconds) const {
  return static_cast<Cycle>(std::ceil(nanoseconds * spec_.clock_mhz / 1e3));
}

}  // namespace heddle::sim
