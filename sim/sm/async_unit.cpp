#include "sim/sm/async_unit.h"

#include <algorithm>
#include <iterator>

namespace heddle::sim {

using stream::AsyncStep;

BlockMbarriers& AsyncUnit::of(const WarpContext& warp) {
  if (of_block_.size() <= warp.block) of_block_.resize(warp.block + std::size_t{1});
  std::unique_ptr<BlockMbarriers>& block = of_block_[warp.block];
  if (!block) block = std::make_unique<BlockMbarriers>();
  return *block;
}

// -- barriers -----------------------------------------------------------------------------------------------

void AsyncUnit::act(WarpSlot slot, const stream::StaticOp& op, const AsyncStep& step, Cycle now) {
  const WarpContext& warp = warps_[slot];
  BlockMbarriers& block = of(warp);
  switch (step.action) {
    case AsyncStep::Action::Init:
      for (const stream::PhaseUse& use : step.uses) block.barriers[use.barrier].init(use.count);
      break;
    case AsyncStep::Action::Arrive:
      for (const stream::PhaseUse& use : step.uses) {
        block.barriers[use.barrier].arrive(use.count, use.bytes, now, use.departures);
        end_waits(warp.block, use.barrier, now + 1);
      }
      break;
    case AsyncStep::Action::ArriveAfterCopies:
      arrive_after_copies(slot, step, now);
      break;
    case AsyncStep::Action::Wait:
      return wait_for_phase(slot, op, step, now);
    case AsyncStep::Action::ClusterArrive:
      block.cluster.arrive(slot, blocks_[warp.block].live_warps, now);
      end_waits(warp.block, BlockMbarriers::kCluster, now + 1);
      break;
    case AsyncStep::Action::ClusterWait:
      return wait_for({slot, BlockMbarriers::kCluster, block.cluster.phases_after(slot), &op}, now);
    case AsyncStep::Action::Copy:
      break;
  }
  warps_.resume(slot, now + 1, stall_after(op, now));
}

/// By the parity, where arrivals are counted. Else the warp's wait number n is for the n-th phase that copies
/// make, and at a barrier that none fill there is nothing to wait for.
void AsyncUnit::wait_for_phase(WarpSlot slot, const stream::StaticOp& op, const AsyncStep& step, Cycle now) {
  const stream::PhaseUse& use = step.uses.front();
  const Mbarrier& barrier = of(warps_[slot]).barriers[use.barrier];
  std::uint64_t phases = std::min(step.round, step.phases);
  if (barrier.is_counted()) phases = step.knows_parity ? barrier.phases_after(step.parity) : 0;
  wait_for({slot, use.barrier, phases, &op}, now);
}

void AsyncUnit::wait_for(const PhaseWait& wait, Cycle now) {
  const WarpContext& warp = warps_[wait.slot];
  warps_.block(wait.slot, now + 1, ir::StallReason::LongScoreboard);
  of(warp).waits.push_back(wait);
  end_waits(warp.block, wait.barrier, now + 1);
}

/// Those for phases that are over: the warps go on from `from`, or as soon as the phase is over.
void AsyncUnit::end_waits(std::uint32_t index, std::uint32_t barrier, Cycle from) {
  BlockMbarriers& block = *of_block_[index];
  const std::uint64_t phases = block.phases(barrier);
  std::erase_if(block.waits, [&](const PhaseWait& wait) {
    if (wait.barrier != barrier || wait.phases > phases) return false;
    const Cycle over = std::max(from, block.over_at(barrier, wait.phases));
    warps_.resume(wait.slot, from, ReadyTime(over, ir::StallReason::LongScoreboard));
    return true;
  });
}

void AsyncUnit::end_wait(std::uint32_t block, std::size_t place, Cycle from) {
  const PhaseWait wait = of_block_[block]->waits[place];
  of_block_[block]->force(wait, from);
  end_waits(block, wait.barrier, from);
}

void AsyncUnit::give_up_wait(std::uint32_t block, std::size_t place, Cycle from) {
  std::vector<PhaseWait>& waits = of_block_[block]->waits;
  const WarpSlot slot = waits[place].slot;
  waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(place));
  warps_.resume(slot, from, ReadyTime(from, ir::StallReason::LongScoreboard));
}

void AsyncUnit::warp_exits(WarpSlot slot, Cycle now) {
  const WarpContext& warp = warps_[slot];
  of(warp).cluster.leave(slot, blocks_[warp.block].live_warps, now);
  end_waits(warp.block, BlockMbarriers::kCluster, now + 1);
}

// -- copies -------------------------------------------------------------------------------------------------

/// With those that the warp has begun so far, in closed groups and in the open one, a batch ends, so that
/// later ones are told apart from them. A group does not (PTX ISA, cp.async.mbarrier.arrive: it tracks all
/// copies that the thread has begun before). Bytes that come with the copies were announced by an instruction of
/// their own: ptxas 13.0 has SYNCS.ARRIVE.A0T1 in front of ARRIVES.LDGSTSBAR.TRANSCNT.
void AsyncUnit::arrive_after_copies(WarpSlot slot, const AsyncStep& step, Cycle now) {
  WarpContext& warp = warps_[slot];
  BlockMbarriers& block = of(warp);
  const std::uint32_t batch = warp.copies.end_batch();
  for (const stream::PhaseUse& use : step.uses) {
    block.copy_arrivals.push_back({slot, batch, use.barrier, use.count, use.bytes});
  }
  arrive_for_copies(slot, now + 1);
}

/// Arrivals of the warp whose copies are done.
void AsyncUnit::arrive_for_copies(WarpSlot slot, Cycle from) {
  const WarpContext& warp = warps_[slot];
  BlockMbarriers& block = *of_block_[warp.block];
  const auto is_done = [&](const CopyArrival& arrival) {
    return arrival.slot == slot && !warp.copies.done_through(arrival.batch).is_pending();
  };
  std::vector<CopyArrival> done;
  std::copy_if(block.copy_arrivals.begin(), block.copy_arrivals.end(), std::back_inserter(done), is_done);
  std::erase_if(block.copy_arrivals, is_done);
  for (const CopyArrival& arrival : done) {
    const Cycle at = std::max(from - 1, warp.copies.done_through(arrival.batch).cycle());
    block.barriers[arrival.barrier].arrive(arrival.count, arrival.bytes, at);
    end_waits(warp.block, arrival.barrier, from);
  }
}

void AsyncUnit::end_copy(const ResultOwner& owner, ReadyTime done, Cycle now) {
  WarpContext& warp = warps_[owner.slot];
  warp.copies.done(owner.copy_group, done);
  if (find(warp.block) != nullptr) arrive_for_copies(owner.slot, now);
}

void AsyncUnit::start_bulk_copy(WarpSlot slot, const stream::StaticOp& op, const AsyncStep& step, Cycle now) {
  WarpContext& warp = warps_[slot];
  ResultOwner owner{static_cast<std::uint16_t>(slot), warp.grid, 0, warp.age, &op};
  if (op.kind == stream::OpKind::BulkStore) {
    owner.copy_group = warp.copies.add(now);
  } else {
    ++of(warp).bulk_loads;
    owner.copy_group = bulk_loads_.take();
    const bool has_barrier = !step.uses.empty();
    bulk_loads_[owner.copy_group] = {warp.block,  blocks_[warp.block].serial,
                                     has_barrier, has_barrier ? step.uses.front().barrier : 0,
                                     step.bytes,  step.copies_per_phase};
  }
  lsu_.start_bulk(owner, step.addresses, step.piece_bytes, now);
}

std::optional<std::uint32_t> AsyncUnit::end_bulk_load(std::uint32_t id, Cycle done, Cycle now) {
  const BulkLoad load = bulk_loads_[id];
  bulk_loads_.give_back(id);
  const ResidentBlock& resident = blocks_[load.block];
  if (resident.serial != load.serial || resident.resident_warps == 0) return std::nullopt;
  BlockMbarriers& block = *of_block_[load.block];
  --block.bulk_loads;
  if (load.has_barrier) {
    block.barriers[load.barrier].receive(load.bytes, load.copies_per_phase, done);
    end_waits(load.block, load.barrier, now);
  }
  return load.block;
}

}  // namespace heddle::sim
