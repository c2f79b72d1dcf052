// An SM's cycle: replies arrive, the load/store unit advances, blocks start, warps issue and wait again.
#include "sim/sm/sm.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/sm/host_prefetcher.h"

namespace heddle::sim {

namespace {

/// What the instruction reads from the register file, if the warp issues `next` after it. Where the .reuse
/// marks are not known, they follow from `next`.
stream::RegisterReads reads_before(const stream::StaticOp& op, const stream::StaticOp* next) {
  const stream::RegisterReads& reads = op.register_reads;
  return reads.kept_by_next && next != nullptr ? stream::kept_for(reads, next->register_reads) : reads;
}

Cycle cycles_of(std::uint32_t nanoseconds, double clock_mhz) {
  return static_cast<Cycle>(std::ceil(nanoseconds * clock_mhz / 1e3));
}

}  // namespace

Sm::Sm(const GpuSpec& spec, const ClassTimings& timings, const SmWatch& watch, SmId id)
    : spec_(spec),
      timings_(timings),
      watch_(watch),
      id_(id),
      all_lanes_(first_lanes(spec.occupancy.warp_size)),
      stride_(spec.sm.sub_partitions),
      caches_(spec),
      warps_(spec, timings, sub_partitions_, caches_),
      lsu_(spec, id),
      l1_watch_(sub_partitions_),
      grids_(spec.occupancy.warp_size),
      blocks_(spec.occupancy.max_warps),
      barriers_(spec.sm.barrier, warps_),
      warpgroups_(spec.sm, warps_),
      async_(warps_, blocks_, lsu_),
      residency_(spec.occupancy.max_warps) {
  if (scheduler_policy(spec.sm.scheduler).watches_l1) lsu_.set_l1_watch(&l1_watch_);
  const unsigned warps = spec.occupancy.max_warps / spec.sm.sub_partitions;
  sub_partitions_.reserve(spec.sm.sub_partitions);
  for (unsigned i = 0; i < spec.sm.sub_partitions; ++i) sub_partitions_.emplace_back(spec.sm, timings, warps);
}

Cycle Sm::next() const {
  Cycle next = std::min(lsu_.next(), inbox_.next());
  if (!starts_.empty()) next = std::min(next, starts_.front().at);
  for (const SubPartition& sub_partition : sub_partitions_) next = std::min(next, sub_partition.next());
  return next;
}

void Sm::run(Cycle begin, Cycle end, const Sm* following) {
  inbox_.open();
  is_fast_ = !caches_.may_miss() && !watch_.heard.issues;
  if (watch_.visit_every_cycle || watch_.samples.overlaps(begin, end)) {
    for (Cycle now = begin; now < end; ++now) cycle(now);
    return;
  }
  HostPrefetcher host_prefetcher(following, begin, end);
  for (Cycle now = next(); now < end;) {
    host_prefetcher.keep_up(now);
    const bool has_issued = cycle(now);
    now = has_issued ? now + 1 : next();
  }
  host_prefetcher.keep_up(end);
}

// Replies and the load/store unit come first, so that a warp can use a result or a place in a queue in the
// cycle in which it gets it. The order of the sub-partitions matters only for memory instructions that issue
// in the same cycle: they enter the shared stage in that order. Returns whether a warp instruction has
// issued; then the next cycle must be visited, too.
bool Sm::cycle(Cycle now) {
  bool has_issued = false;
  inbox_.take_until(now, [this, now](const MemoryReply& reply) { lsu_.reply(reply, now); });
  if (lsu_.next() <= now || !lsu_.completions().empty()) advance_memory(now);
  for (; !starts_.empty() && starts_.front().at <= now; starts_.pop_front())
    start_block(starts_.front(), now);
  const Cycle due = watch_.visit_every_cycle ? kNever : now;  // the reference mode asks every sub-partition
  WarpSlot first_slot = 0;
  for (SubPartition& sub_partition : sub_partitions_) {
    if (sub_partition.next() <= due) {
      const unsigned warp = sub_partition.select(now);
      if (warp != SubPartition::kNoWarp) {
        issue(sub_partition, warp * stride_ + first_slot, now);
        has_issued = true;
      }
    }
    ++first_slot;
  }
  if (watch_.samples.contains(now)) sample_warps(view(), id_, now, events_);
  if (!draining_.empty()) end_drained(now);
  if (!stalls_.empty()) tell_stalls(now);
  return has_issued;
}

// Not inlined: few cycles have to do with memory, and the others are faster without its code.
[[gnu::noinline]] void Sm::advance_memory(Cycle now) {
  lsu_.advance(now);
  for (std::uint32_t freed = lsu_.take_freed(); freed != 0; freed &= freed - 1) {
    sub_partitions_[static_cast<unsigned>(std::countr_zero(freed))].set_mio_room(true, now);
  }
  for (const Completion& completion : lsu_.completions()) complete(completion, now);
  lsu_.completions().clear();
}

/// The load/store unit says when a load, a copy or a fence is done.
void Sm::complete(const Completion& completion, Cycle now) {
  const ResultOwner& owner = completion.owner;
  const stream::OpKind kind = owner.op->kind;
  if (kind == stream::OpKind::BulkLoad) {
    const auto block = async_.end_bulk_load(owner.copy_group, completion.ready.cycle(), now);
    if (block) release_stuck(*block, now);
    return;
  }
  const WarpContext& warp = warps_[owner.slot];
  if (warp.age != owner.age) return;  // the warp has exited, and another lives in its slot
  if (kind == stream::OpKind::Fence) return warps_.resume(owner.slot, now, completion.ready);
  if (kind == stream::OpKind::Copy || kind == stream::OpKind::BulkStore) {
    async_.end_copy(owner, completion.ready, now);
    release_stuck(warp.block, now);
  }
  warps_.complete(owner.slot, *owner.op, completion.ready, now);
}

// -- issue --------------------------------------------------------------------------------------------------

// The fast path: an instruction that makes one register busy and does nothing else, as most do.
void Sm::issue(SubPartition& sub_partition, WarpSlot slot, Cycle now) {
  WarpContext& warp = warps_[slot];
  const stream::WarpStep& step = warp.source->issue(slot, now);
  const stream::StaticOp& op = *warp.next;  // the instruction that issues
  if (warp.lanes == 0) [[unlikely]]
    warp.lanes = step.live;
  if (step.executed != all_lanes_) grids_.count_lanes(warp, step);
  if (!is_fast_ || op.only_result == ir::kNeverWritten || step.next == nullptr)
    return issue_any(sub_partition, slot, step, now);
  warp.results[op.only_result] = timings_.of(op.timing_class).result.after(now);
  warp.next = step.next;
  warps_.wait_for_operands<Scoreboard::IssuePath::Fast>(sub_partition, warp, slot, now + 1,
                                                        ReadyTime(now + 1, ir::StallReason::Wait));
}

void Sm::issue_any(SubPartition& sub_partition, WarpSlot slot, const stream::WarpStep& step, Cycle now) {
  WarpContext& warp = warps_[slot];
  const stream::StaticOp& op = *warp.next;
  if (watch_.heard.issues) {
    events_.emplace_back(WarpIssued{now, id_, slot, blocks_[warp.block].id, warp.warp_in_block, op.pc,
                                    step.live, step.active, step.executed, grids_[warp.grid].grid->id});
  }
  if (op.may_branch) grids_.count_branch(warp, op, step);
  const Cycle held = op.register_reads.is_timed
                         ? sub_partition.read_registers(warp.place, reads_before(op, step.next), now)
                         : 0;
  const Cycle late = held + caches_.constants_late(warp, op, step, now);  // what delays the result further
  const ClassTiming& timing = timings_.of(op.timing_class);
  Cycle read_at = now + held + spec_.sm.mio.front_latency;
  // A fence that no lane executes asks nothing: nobody waits for an answer.
  if (timing.is_told_later && !(stream::is_for_all_memory(op.kind) && step.executed == 0)) {
    const std::uint32_t group = op.kind == stream::OpKind::Copy ? warp.copies.add(now) : 0;
    read_at = lsu_.accept(warp.sub_partition, now,
                          {static_cast<std::uint16_t>(slot), warp.grid, group, warp.age, &op}, step);
    sub_partition.set_mio_room(lsu_.has_room(warp.sub_partition), now + 1);
  }
  if (op.has_control_code())
    warps_.raise_barriers(slot, op, timing, now + late, read_at);
  else
    Scoreboard::book_results(warp, op, timing, now + late);
  warp.next = step.next;
  if (step.next == nullptr) {
    warp.last_pc = op.pc;
    exit_warp(slot, now);
  } else if (stream::needs_more_than_results(op.kind)) {
    continue_warp(slot, op, step, now);
  } else {
    // Registers that are read late hold up the pipeline, and with it the count of cycles until the next
    // issue.
    ReadyTime earliest = stall_after(op, op.has_control_code() ? now + held : now);
    if (op.may_branch)
      earliest = later_of(earliest, ReadyTime(now + timing.result.cycle(), ir::StallReason::BranchResolving));
    warps_.wait_for_operands<Scoreboard::IssuePath::General>(sub_partition, warp, slot, now + 1, earliest);
  }
}

/// The warp goes on after an instruction that may block it: a barrier, a fence, a sleep, an mbarrier. One
/// that no lane executes does not block.
void Sm::continue_warp(WarpSlot slot, const stream::StaticOp& op, const stream::WarpStep& step, Cycle now) {
  const bool is_executed = step.executed != 0;
  const std::uint32_t block = warps_[slot].block;
  switch (op.kind) {
    case stream::OpKind::Barrier:
    case stream::OpKind::BarrierReduce:
    case stream::OpKind::BarrierArrive:
      if (!is_executed) break;
      barriers_.arrive(slot, op, step.barrier, blocks_[block], now);
      return release_stuck(block, now + 1);
    case stream::OpKind::Fence:
      if (!is_executed) break;
      return warps_.block(slot, now + 1, ir::StallReason::Membar);
    case stream::OpKind::Sleep: {
      if (!is_executed) break;
      const Cycle end = now + std::max<Cycle>(cycles_of(step.nanoseconds, spec_.clock_mhz), 1);
      return warps_.resume(slot, now + 1,
                           later_of(ReadyTime(end, ir::StallReason::Sleeping), stall_after(op, now)));
    }
    case stream::OpKind::CommitCopies:
      warps_[slot].copies.close_group();
      break;
    case stream::OpKind::GroupProduct:
      if (is_executed) warpgroups_.start_product(slot, op, now);
      break;
    case stream::OpKind::Mbarrier:
      if (!is_executed || step.async == nullptr) break;
      async_.act(slot, op, *step.async, now);
      return release_stuck(block, now + 1);
    case stream::OpKind::BulkLoad:
    case stream::OpKind::BulkStore:
      if (is_executed && step.async != nullptr) async_.start_bulk_copy(slot, op, *step.async, now);
      break;
    case stream::OpKind::ArriveInGroup:
      if (!is_executed) break;
      warpgroups_.arrive(slot, blocks_[block].slots, now);
      return release_stuck(block, now + 1);
    default:
      break;
  }
  warps_.resume(slot, now + 1, stall_after(op, now));
}

}  // namespace heddle::sim
