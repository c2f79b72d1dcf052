// Barriers in shared memory and bulk copies: what ends the waits of a block's warps.
#include <algorithm>

#include "sim/sm/sm.h"

namespace heddle::sim {

using stream::AsyncStep;

BlockMbarriers& Sm::async_of(const WarpContext& warp) {
  std::unique_ptr<BlockMbarriers>& async = blocks_[warp.block].async;
  if (!async) async = std::make_unique<BlockMbarriers>();
  return *async;
}

/// What is done at a barrier counts at once: what it costs to tell it is not published. Waits are the warp's,
/// behind the instruction; Nsight Compute calls them stalls on a long scoreboard.
void Sm::use_barriers(WarpSlot slot, const stream::StaticOp& op, const AsyncStep& step, Cycle now) {
  const WarpContext& warp = warps_[slot];
  BlockMbarriers& async = async_of(warp);
  switch (step.action) {
    case AsyncStep::Action::Init:
      for (const stream::PhaseUse& use : step.uses) async.barriers[use.barrier].init(use.count);
      break;
    case AsyncStep::Action::Arrive:
      for (const stream::PhaseUse& use : step.uses) {
        async.barriers[use.barrier].arrive(use.count, use.bytes, now);
        end_waits(warp.block, use.barrier, now + 1);
      }
      break;
    case AsyncStep::Action::ArriveAfterCopies:
      arrive_after_copies(slot, step, now);
      break;
    case AsyncStep::Action::Wait:
      return wait_for_phase(slot, op, step, now);
    case AsyncStep::Action::ClusterArrive:
      async.cluster.arrive(slot, blocks_[warp.block].live_warps, now);
      end_waits(warp.block, BlockMbarriers::kCluster, now + 1);
      break;
    case AsyncStep::Action::ClusterWait:
      return wait_for({slot, BlockMbarriers::kCluster, async.cluster.phases_after(slot), op.is_stand_in},
                      now);
    case AsyncStep::Action::Copy:
      break;
  }
  resume(slot, now + 1, ReadyTime(now + 1, ir::StallReason::Wait));
}

/// By the parity, where arrivals are counted. Else the warp's wait number n is for the n-th phase that copies
/// make, and at a barrier that none fill there is nothing to wait for.
void Sm::wait_for_phase(WarpSlot slot, const stream::StaticOp& op, const AsyncStep& step, Cycle now) {
  const stream::PhaseUse& use = step.uses.front();
  const Mbarrier& barrier = async_of(warps_[slot]).barriers[use.barrier];
  std::uint64_t phases = std::min(step.round, step.phases);
  if (barrier.is_counted()) phases = step.knows_parity ? barrier.phases_after(step.parity) : 0;
  wait_for({slot, use.barrier, phases, op.is_stand_in}, now);
}

void Sm::wait_for(const PhaseWait& wait, Cycle now) {
  WarpContext& warp = warps_[wait.slot];
  BlockMbarriers& async = async_of(warp);
  sub_partition_of(warp).block(warp.place, now + 1, ir::StallReason::LongScoreboard);
  async.waits.push_back(wait);
  end_waits(warp.block, wait.barrier, now + 1);
  release_stuck(warp.block, now + 1);
}

/// Those for phases that are over: the warps go on from `from`, or as soon as the phase is over.
void Sm::end_waits(std::uint32_t block, std::uint32_t barrier, Cycle from) {
  BlockMbarriers& async = *blocks_[block].async;
  const std::uint64_t phases = async.phases(barrier);
  std::erase_if(async.waits, [&](const PhaseWait& wait) {
    if (wait.barrier != barrier || wait.phases > phases) return false;
    const Cycle over = std::max(from, async.over_at(barrier, wait.phases));
    resume(wait.slot, from, ReadyTime(over, ir::StallReason::LongScoreboard));
    return true;
  });
}

/// A trace may lack what ends a wait. Where all warps of the block wait for one another and no copy is under
/// way, the wait that began first ends.
void Sm::release_stuck(std::uint32_t index, Cycle from) {
  ResidentBlock& block = blocks_[index];
  if (block.async == nullptr || block.async->waits.empty()) return;
  BlockMbarriers& async = *block.async;
  if (async.bulk_loads != 0 || !async.copy_arrivals.empty()) return;
  const bool are_all_stuck = std::all_of(block.slots.begin(), block.slots.end(), [&](WarpSlot slot) {
    return warps_[slot].next == nullptr || waits_for_others(slot) || async.has_waiting(slot);
  });
  if (!are_all_stuck) return;
  const PhaseWait first = async.waits.front();
  SmCounters& counters = grids_[block.grid].counters;
  ++counters.released_waits;
  if (!first.is_stand_in) ++counters.released_known_waits;
  if (first.barrier == BlockMbarriers::kCluster) {
    async.cluster.force(from);
  } else {
    async.barriers[first.barrier].force(first.phases, from);
  }
  end_waits(index, first.barrier, from);
}

// -- copies ---------------------------------------------------------------------------------------------

/// With those that the warp has begun so far, in closed groups and in the open one, a batch ends, so that
/// later ones are told apart from them. A group does not (PTX ISA, cp.async.mbarrier.arrive: it tracks all
/// copies that the thread has begun before). Bytes that come with the copies are announced now.
void Sm::arrive_after_copies(WarpSlot slot, const AsyncStep& step, Cycle now) {
  WarpContext& warp = warps_[slot];
  const std::uint32_t batch = warp.copies.end_batch();
  for (const stream::PhaseUse& use : step.uses) {
    if (use.bytes < 0) async_of(warp).barriers[use.barrier].arrive(0, -use.bytes, now);
    async_of(warp).copy_arrivals.push_back({slot, batch, use.barrier, use.count, use.bytes});
  }
  arrive_for_copies(slot, now + 1);
}

/// Arrivals of the warp whose copies are done.
void Sm::arrive_for_copies(WarpSlot slot, Cycle from) {
  const WarpContext& warp = warps_[slot];
  BlockMbarriers& async = *blocks_[warp.block].async;
  const auto is_done = [&](const CopyArrival& arrival) {
    return arrival.slot == slot && !warp.copies.done_through(arrival.batch).is_pending();
  };
  std::vector<CopyArrival> done;
  std::copy_if(async.copy_arrivals.begin(), async.copy_arrivals.end(), std::back_inserter(done), is_done);
  std::erase_if(async.copy_arrivals, is_done);
  for (const CopyArrival& arrival : done) {
    const Cycle at = std::max(from - 1, warp.copies.done_through(arrival.batch).cycle());
    async.barriers[arrival.barrier].arrive(arrival.count, arrival.bytes, at);
    end_waits(warp.block, arrival.barrier, from);
  }
  if (!done.empty()) release_stuck(warp.block, from);
}

void Sm::start_bulk_copy(WarpSlot slot, const stream::StaticOp& op, const AsyncStep& step, Cycle now) {
  WarpContext& warp = warps_[slot];
  ResultOwner owner{static_cast<std::uint16_t>(slot), warp.grid, 0, warp.age, &op};
  if (op.kind == stream::OpKind::BulkStore) {
    owner.copy_group = warp.copies.add(now);
  } else {
    ++async_of(warp).bulk_loads;
    owner.copy_group = bulk_loads_.take();
    const bool has_barrier = !step.uses.empty();
    bulk_loads_[owner.copy_group] = {warp.block,  blocks_[warp.block].serial,
                                     has_barrier, has_barrier ? step.uses.front().barrier : 0,
                                     step.bytes,  step.copies_per_phase};
  }
  lsu_.start_bulk(owner, step.addresses, step.piece_bytes, now);
}

/// The warp that began it may be gone, and even its block.
void Sm::end_bulk_load(std::uint32_t id, Cycle done, Cycle now) {
  const BulkLoad load = bulk_loads_[id];
  bulk_loads_.give_back(id);
  const ResidentBlock& block = blocks_[load.block];
  if (block.serial != load.serial || block.resident_warps == 0) return;
  --block.async->bulk_loads;
  if (load.has_barrier) {
    block.async->barriers[load.barrier].receive(load.bytes, load.copies_per_phase, done);
    end_waits(load.block, load.barrier, now);
  }
  release_stuck(load.block, now);
}

}  // namespace heddle::sim
