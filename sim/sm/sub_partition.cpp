#include "sim/sm/sub_partition.h"

#include <algorithm>

namespace heddle::sim {

SubPartition::SubPartition(const SmSpec& spec, const ClassTimings& timings, unsigned warps)
    : pool_(scheduler_policy(spec.scheduler), std::min(warps, kSetSize<WarpSet>)),
      timings_(&timings),
      warps_(warps),
      registers_(spec.register_file) {
  if (warps > kSetSize<WarpSet>) {
    wide_pool_ = std::make_unique<WarpPool<WideWarpSet>>(scheduler_policy(spec.scheduler), warps);
  }
  counters_.pipe_busy.resize(timings.pipes());
}

/// Pipes were counted as busy until they are free; they are not while nothing is resident.
void SubPartition::activate(Cycle now) {
  slot_from_ = now;
  for (std::size_t i = 0; i < counters_.pipe_busy.size(); ++i)
    counters_.pipe_busy[i] += pipes_.busy_beyond(i, now);
}

void SubPartition::deactivate(Cycle now) {
  counters_.issue_slots.no_warp += now - slot_from_;
  for (std::size_t i = 0; i < counters_.pipe_busy.size(); ++i)
    counters_.pipe_busy[i] -= pipes_.busy_beyond(i, now);
}

SubPartition::Counters SubPartition::counters() const {
  Counters all = counters_;
  all.stalls[ir::StallReason::NotSelected] += all.eligible_warp_cycles - all.issue_slots.issued;
  return all;
}

void SubPartition::start(unsigned warp, Cycle from) {
  if (with_pool([](const auto& pool) { return pool.is_empty(); })) {
    counters_.issue_slots.no_warp += from - slot_from_;
    slot_from_ = from;
  }
  with_pool([warp](auto& pool) { pool.start(warp); });
  warps_[warp].since = from;
  warps_[warp].from = from;
}

void SubPartition::block(unsigned warp, Cycle now, ir::StallReason reason) {
  WarpState& state = warps_[warp];
  if (state.from != now) {
    if (state.turn.reason == reason) return;
    note_blocked(warp, now);
  }
  counters_.stalls[state.turn.reason] += now - state.from;
  state.from = now;
  state.turn.blocked_by = state.turn.reason;
  state.turn.reason = reason;
}

/// The warp was blocked up to `now`, and will be for another reason. What it noted before its last issue is
/// not looked at any more.
[[gnu::noinline]] void SubPartition::note_blocked(unsigned warp, Cycle now) {
  const WarpState& state = warps_[warp];
  std::erase_if(blocked_before_,
                [&](const Blocked& each) { return each.warp == warp && each.until <= state.since; });
  blocked_before_.push_back({warp, state.from, now, state.turn.reason});
}

void SubPartition::retire(unsigned warp, Cycle at) {
  const WarpState& state = warps_[warp];
  counters_.stalls[state.turn.reason] += at - state.from;
  with_pool([warp](auto& pool) { pool.retire(warp); });
  if (with_pool([](const auto& pool) { return pool.is_empty(); })) {
    counters_.issue_slots.stalled[state.turn.reason] += at - slot_from_;
    slot_from_ = at;
  }
}

unsigned SubPartition::select(Cycle now) {
  return wide_pool_ == nullptr ? select_from(pool_, now) : select_wide(now);
}

// Apart, lest the usual way is not inlined.
[[gnu::noinline]] unsigned SubPartition::select_wide(Cycle now) { return select_from(*wide_pool_, now); }

template <typename Set>
[[gnu::always_inline]] inline unsigned SubPartition::select_from(WarpPool<Set>& pool, Cycle now) {
  wake(pool, now);
  look(pool, now);
  looked_ = now;
  if (pool.eligible() == 0) {
    next_ = std::min(pool.first_end(now + 1), next_open());
    return kNoWarp;
  }
  const unsigned warp = pool.pick();
  charge_issue(pool, warp, now);
  take_pipe(warps_[warp], now);
  pool.leave_ready(warp, warps_[warp].turn.group);
  warps_[warp].since = warps_[warp].from = now + 1;
  next_ = now + 1;
  return warp;
}

ir::StallReason SubPartition::stall_of(unsigned warp, Cycle now) const {
  const unsigned group = warps_[warp].turn.group;
  const auto is_eligible = [warp](const auto& pool) { return contains(pool.eligible(), warp); };
  if (looked_ == now && with_pool(is_eligible)) return ir::StallReason::NotSelected;
  if (with_pool([=](const auto& pool) { return contains(pool.ready(group), warp); })) {
    const bool is_held = slot_from_ <= now && now < held_until_;
    return is_held ? ir::StallReason::DispatchStall : warps_[warp].turn.throttle;
  }
  const WarpState& state = warps_[warp];
  return now < state.from ? state.turn.blocked_by : state.turn.reason;
}

Cycle SubPartition::read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now) {
  const Cycle late = registers_.read(warp, reads, now);
  if (late == 0) return 0;
  held_until_ = now + 1 + late;
  pipes_.hold(taken_pipe_, pipes_.free_at(taken_pipe_) + late);
  pipes_.hold_first(timings_->pipes() + 1, held_until_);
  for_each_group(ready_groups(), [&](unsigned number) {
    const auto count_ready = [number](const auto& pool) { return warp_count(pool.ready(number)); };
    charge_held(timings_->group(number).throttle, with_pool(count_ready) * late);
  });
  return late;
}

/// The dispatcher, not what their group waits for, holds ready warps up for so many warp-cycles.
void SubPartition::charge_held(ir::StallReason throttle, std::uint64_t cycles) {
  counters_.stalls[ir::StallReason::DispatchStall] += cycles;
  counters_.stalls[throttle] -= cycles;
}

template <typename Set>
void SubPartition::wake(WarpPool<Set>& pool, Cycle now) {
  const Set warps = pool.wake(now);
  if (now >= held_until_) return;
  for_each_warp(warps, [&](unsigned warp) { charge_held(warps_[warp].turn.throttle, held_until_ - now); });
}

/// Finds the warps that can issue. In this cycle they are not throttled, which charge_issue() takes them for.
template <typename Set>
void SubPartition::look(WarpPool<Set>& pool, Cycle now) {
  const GroupSet memory = timings_->mio_groups();
  const GroupSet groups = pool.ready_groups() & ~roomless_;
  pool.set_candidates(find_open(pool, groups & memory, now), find_open(pool, groups & ~memory, now));
}

/// The ready warps of those of the groups that find a pipe.
template <typename Set>
[[gnu::always_inline]] inline Set SubPartition::find_open(const WarpPool<Set>& pool, GroupSet groups,
                                                          Cycle now) {
  Set open = 0;
  for_each_group(groups, [&](unsigned number) {
    const PipeGroup& group = timings_->group(number);
    if (pipes_.free_at(group.pipes) > now) return;
    const Set ready = pool.ready(number);
    open |= ready;
    counters_.stalls[group.throttle] -= warp_count(ready);
  });
  return open;
}

/// When the first of the ready groups finds a pipe; those whose queue is full are told when it has room.
Cycle SubPartition::next_open() const {
  Cycle first = kNever;
  for_each_group(ready_groups() & ~roomless_, [&](unsigned number) {
    first = std::min(first, pipes_.free_at(timings_->group(number).pipes));
  });
  return first;
}

/// Charges the cycles that the picked warp waited for its operands, then, ready, for a pipe or room. Of those
/// that could have issued in its place, the number is enough.
template <typename Set>
void SubPartition::charge_issue(const WarpPool<Set>& pool, unsigned warp, Cycle now) {
  const WarpState& state = warps_[warp];
  const std::uint64_t eligible = warp_count(pool.eligible());
  if (slot_from_ != now) charge_lost_slots(warp, now);
  ++counters_.issue_slots.issued;
  slot_from_ = now + 1;
  counters_.stalls[state.turn.reason] += state.ready_at - state.from;
  counters_.stalls[state.turn.throttle] += now + 1 - state.ready_at;
  counters_.eligible_warp_cycles += eligible;
}

/// The slots since the last issue are lost to what this warp waited for: what it was blocked by, then its
/// operands, then a pipe. Where it had not started yet, to what another one waited for.
[[gnu::always_inline]] inline void SubPartition::charge_lost_slots(unsigned warp, Cycle now) {
  const WarpState& state = warps_[warp];
  const Cycle since = std::clamp(state.since, slot_from_, now);
  const Cycle from = std::clamp(state.from, since, now);
  const Cycle ready_at = std::clamp(state.ready_at, from, now);
  StallCounts& lost = counters_.issue_slots.stalled;
  if (since != slot_from_) lost[reason_of_others(warp)] += since - slot_from_;
  lost[state.turn.blocked_by] += from - since;
  for (const Blocked& each : blocked_before_) {
    if (each.warp != warp) continue;
    const Cycle slots = std::clamp(each.until, since, from) - std::clamp(each.from, since, from);
    lost[state.turn.blocked_by] -= slots;
    lost[each.reason] += slots;
  }
  lost[state.turn.reason] += ready_at - from;
  const Cycle free_at = std::clamp(held_until_, ready_at, now);
  lost[ir::StallReason::DispatchStall] += free_at - ready_at;
  lost[state.turn.throttle] += now - free_at;
}

ir::StallReason SubPartition::reason_of_others(unsigned warp) const {
  const auto another = with_pool([warp](const auto& pool) { return pool.another_than(warp); });
  return warps_[another.value_or(warp)].turn.reason;
}

[[gnu::always_inline]] inline void SubPartition::take_pipe(const WarpState& state, Cycle now) {
  taken_pipe_ = pipes_.first_free(timings_->group(state.turn.group).pipes, now);
  pipes_.take(taken_pipe_, now + state.turn.interval);
  counters_.pipe_busy[taken_pipe_] += state.turn.interval;
}

Cycle SubPartition::queue_product(Cycle now, Cycle cycles) {
  const Cycle begin = std::max(now, pipes_.free_at(timings_->product_pipe()));
  pipes_.take(timings_->product_pipe(), begin + cycles);
  counters_.pipe_busy[timings_->product_pipe()] += cycles;
  return begin;
}

void SubPartition::announce(Reach reach) const {
  if (reach == Reach::Itself) return prefetch(this, sizeof *this);
  prefetch(warps_.data(), warps_.size() * sizeof(WarpState));
  with_pool([](const auto& pool) { pool.announce(); });
}

void SubPartition::set_mio_room(bool has_room, Cycle now) {
  roomless_ = has_room ? 0 : timings_->mio_groups();
  if (has_room && ready_groups() != 0) next_ = std::min(next_, now);
}

}  // namespace heddle::sim
