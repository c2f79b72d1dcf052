#include "sim/sm/sub_partition.h"

#include <algorithm>
#include <bit>

namespace heddle::sim {

SubPartition::SubPartition(const SmSpec& spec, unsigned warps)
    : pool_(*find_scheduler_policy(spec.scheduler), std::min(warps, kSetSize<WarpSet>)),
      warps_(warps),
      registers_(spec.register_file) {
  if (warps > kSetSize<WarpSet>) {
    wide_pool_ = std::make_unique<WarpPool<WideWarpSet>>(*find_scheduler_policy(spec.scheduler), warps);
  }
  counters_.pipe_busy.resize(spec.pipes.size() + 1);
  for (std::size_t i = 0; i < routes_.size(); ++i) add_class(i, spec.classes[i]);
}

void SubPartition::add_class(std::size_t number, const ClassSpec& spec) {
  const auto timing_class = static_cast<ir::TimingClass>(number);
  const ir::TimingClassInfo& row = ir::info(timing_class);
  Group group = {PipeChoice(spec.pipes), row.throttle, row.uses_mio()};
  routes_[number].interval = spec.interval;
  if (timing_class == ir::TimingClass::WarpgroupProduct) {
    const auto issue_pipe = static_cast<std::uint8_t>(counters_.pipe_busy.size() - 1);
    product_pipe_ = group.pipes.order[0];
    group.pipes = PipeChoice({&issue_pipe, 1});
    routes_[number].interval = 1;
  }
  const auto end = groups_.begin() + group_count_;
  const auto place = std::find(groups_.begin(), end, group);
  routes_[number].group = static_cast<std::uint8_t>(place - groups_.begin());
  if (place != end) return;
  *place = group;
  if (group.uses_mio) mio_groups_ |= GroupSet{1} << group_count_;
  ++group_count_;
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
  counters_.stalls[state.reason] += now - state.from;
  state.from = now;
  state.reason = reason;
}

void SubPartition::retire(unsigned warp, Cycle at) {
  const WarpState& state = warps_[warp];
  counters_.stalls[state.reason] += at - state.from;
  with_pool([warp](auto& pool) { pool.retire(warp); });
  if (with_pool([](const auto& pool) { return pool.is_empty(); })) {
    counters_.issue_slots.stalled[state.reason] += at - slot_from_;
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
  charge_ready(pool, now);
  wake(pool, now);
  const GroupSet closed = look(pool, now);
  looked_ = now;
  if (pool.eligible() == 0) {
    next_ = std::min(pool.first_end(now + 1), next_open());
    return kNoWarp;
  }
  const unsigned warp = pool.pick();
  charge_issue(pool, warp, closed, now);
  take_pipe(warps_[warp], now);
  leave_ready(pool, warp);
  warps_[warp].since = warps_[warp].from = now + 1;
  next_ = now + 1;
  return warp;
}

ir::StallReason SubPartition::stall_of(unsigned warp, Cycle now) const {
  const unsigned group = warps_[warp].group;
  const auto is_eligible = [warp](const auto& pool) { return contains(pool.eligible(), warp); };
  if (looked_ == now && with_pool(is_eligible)) return ir::StallReason::NotSelected;
  if (with_pool([=](const auto& pool) { return contains(pool.ready(group), warp); })) {
    const bool is_held = slot_from_ <= now && now < held_until_;
    return is_held ? ir::StallReason::DispatchStall : groups_[group].throttle;
  }
  return warps_[warp].reason;
}

Cycle SubPartition::read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now) {
  const Cycle late = registers_.read(warp, reads, now);
  if (late == 0) return 0;
  held_until_ = now + 1 + late;
  pipes_.take(taken_pipe_, pipes_.free_at(taken_pipe_) + late);
  pipes_.hold_all(held_until_);
  return late;
}

/// Ready warps that did not issue since they were last looked at had no pipe or no room, or no dispatcher.
template <typename Set>
void SubPartition::charge_ready(const WarpPool<Set>& pool, Cycle now) {
  if (now <= charged_) return;
  if (charged_ < held_until_) charged_ = charge_held(pool, charged_, now);
  charge_throttled(pool, ready_groups_, now - charged_);
  charged_ = now;
}

/// Charges the warps that have been ready from `from` to `to`, while the dispatcher was held up; returns until when.
template <typename Set>
Cycle SubPartition::charge_held(const WarpPool<Set>& pool, Cycle from, Cycle to) {
  const Cycle end = std::min(held_until_, to);
  for (GroupSet groups = ready_groups_; groups != 0; groups &= groups - 1) {
    counters_.stalls[ir::StallReason::DispatchStall] +=
        warp_count(pool.ready(static_cast<unsigned>(std::countr_zero(groups)))) * (end - from);
  }
  return end;
}

template <typename Set>
void SubPartition::charge_throttled(const WarpPool<Set>& pool, GroupSet groups, Cycle cycles) {
  for (; groups != 0; groups &= groups - 1) {
    const auto group = static_cast<unsigned>(std::countr_zero(groups));
    counters_.stalls[groups_[group].throttle] += warp_count(pool.ready(group)) * cycles;
  }
}

template <typename Set>
void SubPartition::wake(WarpPool<Set>& pool, Cycle now) {
  for_each_warp(pool.waited(now), [&](unsigned warp) {
    const unsigned group = warps_[warp].group;
    pool.enter_ready(warp, group);
    ready_groups_ |= GroupSet{1} << group;
  });
}

/// Tells the ready warps apart; returns the groups of those without pipe or room.
template <typename Set>
SubPartition::GroupSet SubPartition::look(WarpPool<Set>& pool, Cycle now) const {
  GroupSet closed = ready_groups_ & roomless_;
  Set memory = 0;
  Set others = 0;
  for (GroupSet groups = ready_groups_ & ~closed; groups != 0; groups &= groups - 1) {
    const auto group = static_cast<unsigned>(std::countr_zero(groups));
    if (pipes_.free_at(groups_[group].pipes) > now) {
      closed |= groups & -groups;
    } else if (groups_[group].uses_mio) {
      memory |= pool.ready(group);
    } else {
      others |= pool.ready(group);
    }
  }
  pool.set_candidates(memory, others);
  return closed;
}

/// When the first of the ready groups finds a pipe; those whose queue is full are told when it has room.
Cycle SubPartition::next_open() const {
  Cycle first = kNever;
  for (GroupSet groups = ready_groups_ & ~roomless_; groups != 0; groups &= groups - 1) {
    first = std::min(first, pipes_.free_at(groups_[static_cast<unsigned>(std::countr_zero(groups))].pipes));
  }
  return first;
}

/// Charges cycle `now` of all ready warps, and the cycles the picked one waited for its operands.
template <typename Set>
void SubPartition::charge_issue(const WarpPool<Set>& pool, unsigned warp, GroupSet closed, Cycle now) {
  const WarpState& state = warps_[warp];
  const std::uint64_t eligible = warp_count(pool.eligible());
  if (slot_from_ != now) charge_lost_slots(warp, now);
  ++counters_.issue_slots.issued;
  slot_from_ = now + 1;
  counters_.stalls[state.reason] += state.ready_at - state.from;
  counters_.stalls[ir::StallReason::NotSelected] += eligible - 1;
  counters_.eligible_warp_cycles += eligible;
  charge_throttled(pool, closed, 1);
  charged_ = now + 1;
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
  lost[state.blocked_by] += from - since;
  lost[state.reason] += ready_at - from;
  const Cycle free_at = std::clamp(held_until_, ready_at, now);
  lost[ir::StallReason::DispatchStall] += free_at - ready_at;
  lost[groups_[state.group].throttle] += now - free_at;
}

ir::StallReason SubPartition::reason_of_others(unsigned warp) const {
  const auto another = with_pool([warp](const auto& pool) { return pool.another_than(warp); });
  return warps_[another.value_or(warp)].reason;
}

void SubPartition::take_pipe(const WarpState& state, Cycle now) {
  taken_pipe_ = pipes_.first_free(groups_[state.group].pipes, now);
  pipes_.take(taken_pipe_, now + state.interval);
  counters_.pipe_busy[taken_pipe_] += state.interval;
}

Cycle SubPartition::queue_product(Cycle now, Cycle cycles) {
  const Cycle begin = std::max(now, pipes_.free_at(product_pipe_));
  pipes_.take(product_pipe_, begin + cycles);
  counters_.pipe_busy[product_pipe_] += cycles;
  return begin;
}

template <typename Set>
void SubPartition::leave_ready(WarpPool<Set>& pool, unsigned warp) {
  const unsigned group = warps_[warp].group;
  const bool leaves_others = pool.leave_ready(warp, group);
  ready_groups_ &= ~(GroupSet{!leaves_others} << group);
}

void SubPartition::announce(Reach reach) const {
  if (reach == Reach::Itself) return prefetch(this, sizeof *this);
  prefetch(warps_.data(), warps_.size() * sizeof(WarpState));
  with_pool([](const auto& pool) { pool.announce(); });
}

void SubPartition::set_mio_room(bool has_room, Cycle now) {
  roomless_ = has_room ? 0 : mio_groups_;
  if (has_room && ready_groups_ != 0) next_ = std::min(next_, now);
}

}  // namespace heddle::sim
