#include "sim/sm/sm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/sm/host_prefetcher.h"

namespace heddle::sim {

namespace {

/// The registers that the instruction reads before this next one of its warp.
stream::RegisterReads reads_before(const stream::StaticOp& op, const stream::StaticOp* next) {
  const stream::RegisterReads& reads = op.register_reads;
  return reads.kept_by_next && next != nullptr ? stream::kept_for(reads, next->register_reads) : reads;
}

}  // namespace

Sm::Sm(const GpuSpec& spec, const ClassTimings& timings, const SmWatch& watch, SmId id)
    : spec_(spec),
      timings_(timings),
      watch_(watch),
      id_(id),
      all_lanes_(first_lanes(spec.occupancy.warp_size)),
      stride_(spec.sm.sub_partitions),
      lsu_(spec, id),
      l1_watch_(sub_partitions_),
      constants_(spec),
      warps_(spec.occupancy.max_warps),
      products_(spec.occupancy.max_warps),
      blocks_(spec.occupancy.max_warps),
      residency_(spec.occupancy.max_warps) {
  if (scheduler_policy(spec.sm.scheduler).watches_l1) lsu_.set_l1_watch(&l1_watch_);
  const unsigned warps = spec.occupancy.max_warps / spec.sm.sub_partitions;
  sub_partitions_.reserve(spec.sm.sub_partitions);
  for (unsigned i = 0; i < spec.sm.sub_partitions; ++i) sub_partitions_.emplace_back(spec.sm, timings, warps);
  for (WarpSlot slot = 0; slot < warps_.size(); ++slot) {
    warps_[slot].sub_partition = static_cast<std::uint8_t>(slot % spec.sm.sub_partitions);
    warps_[slot].place = static_cast<std::uint8_t>(slot / spec.sm.sub_partitions);
  }
}

Cycle Sm::next() const {
  Cycle next = std::min(lsu_.next(), inbox_.next());
  if (!starts_.empty()) next = std::min(next, starts_.front().at);
  for (const SubPartition& sub_partition : sub_partitions_) next = std::min(next, sub_partition.next());
  return next;
}

void Sm::run(Cycle begin, Cycle end, const Sm* following) {
  inbox_.open();
  is_plain_ = !asks_caches_ && watch_.observer == nullptr;
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

// What arrives comes before what issues: a result or a queue place of this cycle can be used in it. The order
// of sub-partitions decides nothing but the order in which their memory instructions are seen at equal times.
// Says whether a warp instruction has issued: then the next cycle has something to do, too.
bool Sm::cycle(Cycle now) {
  bool has_issued = false;
  take_replies(now);
  if (lsu_.next() <= now || !lsu_.completions().empty()) advance_memory(now);
  start_blocks(now);
  const Cycle due = watch_.visit_every_cycle ? kNever : now;
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
  if (watch_.samples.contains(now)) sample(now);
  if (!draining_.empty()) end_drained(now);
  return has_issued;
}

/// Tells what each warp of a resident block did in this cycle. A block that ended in it is told no more, nor
/// are its last instructions: warp_issued tells those.
void Sm::sample(Cycle now) const {
  for (WarpSlot slot = 0; slot < warps_.size(); ++slot) {
    if (!blocks_.hold(slot)) continue;
    const WarpContext& warp = warps_[slot];
    WarpSampled sampled{now,
                        id_,
                        slot,
                        blocks_[warp.block].id,
                        warp.warp_in_block,
                        WarpSampled::State::Finished,
                        {},
                        grids_[warp.grid].grid->id};
    const SubPartition& sub_partition = sub_partitions_[warp.sub_partition];
    if (sub_partition.issued_at(warp.place, now)) {
      sampled.state = WarpSampled::State::Issued;
    } else if (warp.next != nullptr || warp.drains) {
      sampled.state = WarpSampled::State::Stalled;
      sampled.stall = sub_partition.stall_of(warp.place, now);
    }
    watch_.observer->warp_sampled(sampled);
  }
}

void Sm::take_replies(Cycle now) {
  inbox_.take_until(now, [this, now](const MemoryReply& reply) { lsu_.reply(reply, now); });
}

// Apart from cycle(), which has to do with memory in a few cycles only.
[[gnu::noinline]] void Sm::advance_memory(Cycle now) {
  lsu_.advance(now);
  for (std::uint32_t freed = lsu_.take_freed(); freed != 0; freed &= freed - 1) {
    sub_partitions_[static_cast<unsigned>(std::countr_zero(freed))].set_mio_room(true, now);
  }
  for (const Completion& completion : lsu_.completions()) complete(completion, now);
  lsu_.completions().clear();
}

void Sm::start_blocks(Cycle now) {
  while (!starts_.empty() && starts_.front().at <= now) {
    start_block(starts_.front(), now);
    starts_.pop_front();
  }
}

/// When the caches of instructions and constants have what the warp's next instruction needs. Which constant
/// it names is known once it is there itself.
[[gnu::noinline]] ReadyTime Sm::caches_ready(const WarpContext& warp, Cycle from) {
  const stream::StaticOp& op = *warp.next;
  ReadyTime ready;
  if (instructions_ != nullptr) {
    from = instructions_->ready(warp.grid, warp.sub_partition, op.pc, from);
    ready = ReadyTime(from, ir::StallReason::NoInstruction);
  }
  if (op.timing_class == ir::TimingClass::LoadConstant) return ready;
  const Cycle named =
      op.constant != stream::kNoConstant ? constants_.ready(warp.grid, op.constant, from) : from;
  const Cycle of_launch = op.names_launch ? constants_.launch_ready(warp.grid, from) : from;
  const Cycle known = std::max(named, of_launch);
  return known > from ? ReadyTime(known, ir::StallReason::ImcMiss) : ready;
}

/// What few instructions wait for beside the first registers of their list: others, what the caches of
/// instructions and constants have not, and what more_waits() knows.
[[gnu::noinline]] ReadyTime Sm::many_ready(const WarpContext& warp, WarpSlot slot, Cycle from) {
  const stream::StaticOp& op = *warp.next;
  const BypassDelays bypass = timings_.of(op.timing_class).bypass;
  ReadyTime ready;
  for (const ir::RegisterSlot one : op.waits_for) ready = later_of(ready, warp.results[one].across(bypass));
  if (op.constant != stream::kNoConstant || asks_caches_) ready = later_of(ready, caches_ready(warp, from));
  if (stream::waits_for_more(op.kind)) ready = later_of(ready, more_waits(slot));
  return ready;
}

/// From `from` on the warp waits for its next instruction's operands, and for `earliest`. Inlined, for each
/// issue ends with it.
template <Sm::IssuePath kPath>
[[gnu::always_inline]] inline void Sm::wait_for_operands(SubPartition& sub_partition, WarpContext& warp,
                                                         WarpSlot slot, Cycle from, ReadyTime earliest) {
  const stream::StaticOp& op = *warp.next;
  const ClassTiming& timing = timings_.of(op.timing_class);
  const auto result = [bypass = timing.bypass, results = warp.results.data()](ir::RegisterSlot of) {
    return results[of].across(bypass);
  };
  static_assert(ir::SlotList::kUsual == 4);
  const ir::SlotList& slots = op.waits_for;
  ReadyTime ready = later_of(
      later_of(later_of(result(slots[0]), result(slots[1])), later_of(result(slots[2]), result(slots[3]))),
      earliest);
  if (!op.waits_for_few || (kPath != IssuePath::Fast && asks_caches_))
    ready = later_of(ready, many_ready(warp, slot, from));
  if (ready.is_pending()) {
    warp.waits_for_result = true;
    warp.waits_for_memory = ready.reason() == ir::StallReason::LongScoreboard;
    warp.earliest = earliest;
    sub_partition.block(warp.place, from, ready.reason());
  } else if constexpr (kPath == IssuePath::HeldBack) {
    sub_partition.wait(warp.place, from, ready, timing);
  } else {
    sub_partition.schedule(warp.place, from, ready, timing);
  }
}

// Most instructions make one register busy, and that is all.
void Sm::issue(SubPartition& sub_partition, WarpSlot slot, Cycle now) {
  WarpContext& warp = warps_[slot];
  const stream::WarpStep& step = warp.source->issue(slot, now);
  const stream::StaticOp& op = *warp.next;
  if (warp.lanes == 0) [[unlikely]]
    warp.lanes = step.live;
  if (step.executed != all_lanes_) count_lanes(warp, step);
  if (!is_plain_ || op.only_result == ir::kNeverWritten || step.next == nullptr)
    return issue_any(sub_partition, slot, step, now);
  warp.results[op.only_result] = timings_.of(op.timing_class).result.after(now);
  warp.next = step.next;
  wait_for_operands<IssuePath::Fast>(sub_partition, warp, slot, now + 1,
                                     ReadyTime(now + 1, ir::StallReason::Wait));
}

void Sm::issue_any(SubPartition& sub_partition, WarpSlot slot, const stream::WarpStep& step, Cycle now) {
  WarpContext& warp = warps_[slot];
  const stream::StaticOp& op = *warp.next;
  if (watch_.observer != nullptr) notify(warp, slot, op, step, now);
  if (op.may_branch) {
    SmCounters& counters = counters_of(warp);
    ++counters.branches;
    if (step.has_parted_lanes()) ++counters.divergent_branches;
  }
  Cycle late = constants_late(warp, op, step, now);
  if (op.register_reads.is_timed)
    late += sub_partition.read_registers(warp.place, reads_before(op, step.next), now);
  const ClassTiming& timing = timings_.of(op.timing_class);
  book_results(warp, op, timing, now + late);
  // A fence that no lane executes asks nothing: nobody waits for an answer.
  if (timing.is_told_later && !(stream::is_for_all_memory(op.kind) && step.executed == 0)) {
    const std::uint32_t group = op.kind == stream::OpKind::Copy ? warp.copies.add(now) : 0;
    lsu_.accept(warp.sub_partition, now, {static_cast<std::uint16_t>(slot), warp.grid, group, warp.age, &op},
                step);
    sub_partition.set_mio_room(lsu_.has_room(warp.sub_partition), now + 1);
  }
  warp.next = step.next;
  if (step.next == nullptr) {
    exit_warp(slot, now);
  } else if (op.kind > stream::OpKind::Copy) {
    continue_warp(slot, op, step, now);
  } else {
    const ReadyTime earliest = op.may_branch
                                   ? ReadyTime(now + timing.result.cycle(), ir::StallReason::BranchResolving)
                                   : ReadyTime(now + 1, ir::StallReason::Wait);
    wait_for_operands<IssuePath::General>(sub_partition, warp, slot, now + 1, earliest);
  }
}

/// Of an instruction that not all lanes executed.
void Sm::count_lanes(const WarpContext& warp, const stream::WarpStep& step) {
  GridPart& part = grids_[warp.grid];
  Ledger<LaneSlotPart>& lanes = part.counters.lane_slots;
  ++part.partial_issues;
  lanes[LaneSlotPart::Executed] += lane_count(step.executed);
  lanes[LaneSlotPart::PredicatedOff] += lane_count(step.active & ~step.executed);
  lanes[LaneSlotPart::Diverged] += lane_count(step.live & ~step.active);
  lanes[LaneSlotPart::Exited] += lane_count(warp.lanes & ~step.live);
  lanes[LaneSlotPart::NeverExisted] += spec_.occupancy.warp_size - lane_count(warp.lanes);
}

void Sm::notify(const WarpContext& warp, WarpSlot slot, const stream::StaticOp& op,
                const stream::WarpStep& step, Cycle now) const {
  watch_.observer->warp_issued({now, id_, slot, blocks_[warp.block].id, warp.warp_in_block, op.pc, step.live,
                                step.active, step.executed, grids_[warp.grid].grid->id});
}

/// Notes when the registers that the instruction writes can be used.
void Sm::book_results(WarpContext& warp, const stream::StaticOp& op, const ClassTiming& timing, Cycle now) {
  const Cycle since = timing.is_told_later ? 0 : now;
  const ReadyTime result = timing.result.after(since);
  for (const ir::RegisterSlot slot : op.writes) {
    warp.results[slot] = ir::is_guard_slot(slot) ? timing.guard.after(since) : result;
  }
}

/// What LDC waits for the constant cache beyond the latency of a hit.
Cycle Sm::constants_late(const WarpContext& warp, const stream::StaticOp& op, const stream::WarpStep& step,
                         Cycle now) {
  if (op.timing_class != ir::TimingClass::LoadConstant || step.executed == 0) return 0;
  const bool is_cached = op.constant != stream::kNoConstant;
  const Cycle begin = op.names_launch ? constants_.launch_ready(warp.grid, now) : now;
  if (op.has_constant_address)
    return constants_.ready(warp.grid, step.addresses, step.executed, is_cached, begin) - now;
  return (is_cached ? constants_.ready(warp.grid, op.constant, begin) : begin) - now;
}

void Sm::resume(WarpSlot slot, Cycle from, ReadyTime earliest) {
  WarpContext& warp = warps_[slot];
  warp.waits_for_result = warp.waits_for_memory = false;
  wait_for_operands<IssuePath::HeldBack>(sub_partition_of(warp), warp, slot, from, earliest);
}

/// A result's time has become known: whoever waits for it looks again.
void Sm::complete(const Completion& completion, Cycle now) {
  const ResultOwner& owner = completion.owner;
  const stream::OpKind kind = owner.op->kind;
  if (kind == stream::OpKind::BulkLoad) return end_bulk_load(owner.copy_group, completion.ready.cycle(), now);
  WarpContext& warp = warps_[owner.slot];
  if (warp.age != owner.age) return;
  if (kind == stream::OpKind::Copy || kind == stream::OpKind::BulkStore) {
    warp.copies.done(owner.copy_group, completion.ready);
    if (blocks_[warp.block].async != nullptr) arrive_for_copies(owner.slot, now);
  }
  if (kind == stream::OpKind::Fence) return resume(owner.slot, now, completion.ready);
  for (const ir::RegisterSlot slot : owner.op->writes) warp.results[slot] = completion.ready;
  if (warp.waits_for_result)
    resume(owner.slot, now, std::max(warp.earliest, ReadyTime(now, completion.ready.reason())));
}

bool Sm::find_live(std::vector<stream::LiveWarp>& live) const {
  if (!starts_.empty() || !draining_.empty()) return false;
  for (WarpSlot slot = 0; slot < warps_.size(); ++slot) {
    if (!blocks_.hold(slot) || warps_[slot].next == nullptr) continue;
    live.push_back({warps_[slot].source, slot, waits_for_others(slot)});
  }
  return true;
}

std::vector<std::string> Sm::waiting_warps(std::size_t most) const {
  std::vector<std::string> lines;
  for (WarpSlot slot = 0; slot < warps_.size() && lines.size() < most; ++slot) {
    if (!blocks_.hold(slot) || warps_[slot].next == nullptr) continue;
    std::string line = warps_[slot].source->describe(slot);
    if (const int barrier = warps_[slot].barrier; barrier >= 0) {
      const ResidentBlock& block = blocks_[warps_[slot].block];
      line = fmt::format("waits at barrier {} {}, before {}", barrier,
                         block.barriers[static_cast<std::size_t>(barrier)].describe(block.live_warps), line);
    } else if (products_[slot].waits_for_warpgroup) {
      line = fmt::format("waits for the other warps of its warpgroup, before {}", line);
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace heddle::sim
