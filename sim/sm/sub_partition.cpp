#include "sim/sm/sub_partition.h"

#include <algorithm>

namespace heddle::sim {

SubPartition::SubPartition(const SmSpec& spec, const ClassTimings& timings, unsigned warps)
    : pool_(scheduler_policy(spec.scheduler), std::min(warps, kSetSize<WarpSet>)),
      timings_(&timings),
      warps_(warps),
      registers_(spec.register_file),
      is_usual_(warps <= kSetSize<WarpSet> && !scheduler_policy(spec.scheduler).watches_l1),
      bars_(scheduler_policy(spec.scheduler).watches_l1),
      grid_of_(warps) {
  if (warps > kSetSize<WarpSet>) {
    wide_pool_ = std::make_unique<WarpPool<WideWarpSet>>(scheduler_policy(spec.scheduler), warps);
  }
}

/// Pipes were counted as busy until they are free; they are not while nothing is resident.
void SubPartition::activate(Cycle now) {
  slot_from_ = now;
  for (std::size_t i = 0; i < timings_->pipes(); ++i) {
    if (const Cycle busy = pipes_.busy_beyond(i, now); busy != 0)
      counters_of_grid(pipe_grid_[i]).pipe_busy[i] += busy;
  }
}

void SubPartition::deactivate(GridSlot last, Cycle now) {
  counters_of_grid(last).issue_slots.no_warp += now - slot_from_;
  for (std::size_t i = 0; i < timings_->pipes(); ++i) {
    if (const Cycle busy = pipes_.busy_beyond(i, now); busy != 0)
      counters_of_grid(pipe_grid_[i]).pipe_busy[i] -= busy;
  }
}

SubPartition::Counters SubPartition::counters(GridSlot grid) const {
  Counters all;
  if (grid == grid_) {
    all = counters_;
  } else if (grid < others_.size()) {
    all = others_[grid];
  }
  all.stalls[ir::StallReason::NotSelected] += all.eligible_warp_cycles - all.issue_slots.issued;
  return all;
}

void SubPartition::clear_counters(GridSlot grid) {
  if (others_.size() <= grid) others_.resize(grid + std::size_t{1});
  counters_of_grid(grid) = {};
}

std::uint64_t SubPartition::issued() const {
  std::uint64_t issued = counters_.issue_slots.issued;
  for (const Counters& other : others_) issued += other.issue_slots.issued;
  return issued;
}

/// No warp is resident: the counters that lie at hand become this grid's.
void SubPartition::make_current(GridSlot grid) {
  set_mixed(false);
  if (grid == grid_) return;
  others_[grid_] = std::exchange(counters_, std::exchange(others_[grid], {}));
  grid_ = grid;
}

void SubPartition::set_mixed(bool is_mixed) {
  is_mixed_ = is_mixed;
  is_usual_ = !is_mixed && wide_pool_ == nullptr && !bars_ && pc_ledger_ == nullptr;
}

void SubPartition::start(unsigned warp, GridSlot grid, Cycle from) {
  if (with_pool([](const auto& pool) { return pool.is_empty(); })) {
    make_current(grid);
    counters_.issue_slots.no_warp += from - slot_from_;
    slot_from_ = from;
  }
  if (grid != grid_) set_mixed(true);
  grid_of_[warp] = grid;
  with_pool([warp](auto& pool) { pool.start(warp); });
  warps_[warp].since = from;
  warps_[warp].from = from;
}

void SubPartition::block(unsigned warp, Cycle now, ir::StallReason reason) {
  WarpState& state = warps_[warp];
  if (state.from != now) {
    if (state.demand.reason == reason) return;
    note_blocked(warp, now);
  }
  counters_of(warp).stalls[state.demand.reason] += now - state.from;
  if (pc_ledger_ != nullptr) charge_pc_stall(warp, now);
  state.from = now;
  state.demand.blocked_by = state.demand.reason;
  state.demand.reason = reason;
}

/// The warp was blocked up to `now`, and will be for another reason. What it noted before its last issue is
/// not looked at any more.
[[gnu::noinline]] void SubPartition::note_blocked(unsigned warp, Cycle now) {
  const WarpState& state = warps_[warp];
  std::erase_if(blocked_before_,
                [&](const Blocked& each) { return each.warp == warp && each.until <= state.since; });
  blocked_before_.push_back({warp, state.from, now, state.demand.reason});
}

void SubPartition::retire(unsigned warp, Cycle at) {
  const WarpState& state = warps_[warp];
  Counters& counters = counters_of(warp);
  counters.stalls[state.demand.reason] += at - state.from;
  if (pc_ledger_ != nullptr) charge_pc_stall(warp, at);
  with_pool([warp](auto& pool) { pool.retire(warp); });
  if (with_pool([](const auto& pool) { return pool.is_empty(); })) {
    counters.issue_slots.stalled[state.demand.reason] += at - slot_from_;
    if (pc_ledger_ != nullptr) lose_of_pc(warp, warp, state.demand.reason, at - slot_from_);
    slot_from_ = at;
  }
}

/// Calls use(counters, count) for each grid that has some of the warps, with how many.
template <SubPartition::Counting kCounting, typename Set, typename Use>
[[gnu::always_inline]] inline void SubPartition::for_each_grid(Set warps, const Use& use) {
  if (is_mixed<kCounting>()) {
    for_each_warp(warps, [&](unsigned warp) { use(counters_of_grid(grid_of_[warp]), 1U); });
  } else {
    use(counters_, warp_count(warps));
  }
}

/// The warp's instruction is in the pipe, for so many cycles.
template <SubPartition::Counting kCounting>
[[gnu::always_inline]] inline void SubPartition::charge_pipe(std::uint8_t pipe, unsigned warp, Cycle cycles) {
  pipe_grid_[pipe] = is_mixed<kCounting>() ? grid_of_[warp] : grid_;
  counters_of<kCounting>(warp).pipe_busy[pipe] += cycles;
}

unsigned SubPartition::select(Cycle now) {
  return is_usual_ ? select_from<Counting::OneGrid>(pool_, now) : select_unusual(now);
}

// Apart, lest the usual way is not inlined: nothing else here counts one grid of few warps.
[[gnu::noinline]] unsigned SubPartition::select_unusual(Cycle now) {
  if (pc_ledger_ != nullptr) {
    return wide_pool_ == nullptr ? select_from<Counting::Pcs>(pool_, now)
                                 : select_from<Counting::Pcs>(*wide_pool_, now);
  }
  if (wide_pool_ == nullptr) return select_from<Counting::Grids>(pool_, now);
  return is_mixed_ || bars_ ? select_from<Counting::Grids>(*wide_pool_, now)
                   : select_from<Counting::OneGrid>(*wide_pool_, now);
}

template <SubPartition::Counting kCounting, typename Set>
[[gnu::always_inline]] inline unsigned SubPartition::select_from(WarpPool<Set>& pool, Cycle now) {
  wake<kCounting>(pool, now);
  look<kCounting>(pool, now);
  looked_ = now;
  if (pool.eligible() == 0) {
    next_ = std::min(pool.first_end(now + 1), next_open());
    if constexpr (kCounting != Counting::OneGrid) next_ = std::max(next_, now + 1);  // who is barred may be let go then
    return kNoWarp;
  }
  const unsigned warp = pool.pick();
  charge_issue<kCounting>(pool, warp, now);
  take_pipe<kCounting>(warp, now);
  pool.leave_ready(warp, warps_[warp].demand.group);
  warps_[warp].since = warps_[warp].from = now + 1;
  next_ = now + 1;
  return warp;
}

ir::StallReason SubPartition::stall_of(unsigned warp, Cycle now) const {
  const unsigned group = warps_[warp].demand.group;
  const auto is_eligible = [warp](const auto& pool) { return contains(pool.eligible(), warp); };
  if (looked_ == now && with_pool(is_eligible)) return ir::StallReason::NotSelected;
  if (with_pool([=](const auto& pool) { return contains(pool.ready(group), warp); })) {
    const bool is_held = slot_from_ <= now && now < held_until_;
    return is_held ? ir::StallReason::DispatchStall : warps_[warp].demand.throttle;
  }
  const WarpState& state = warps_[warp];
  return now < state.from ? state.demand.blocked_by : state.demand.reason;
}

Cycle SubPartition::read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now) {
  const Cycle late = registers_.read(warp, reads, now);
  if (late == 0) return 0;
  if (pc_notes_ != nullptr) pc_notes_->held += late;
  held_until_ = now + 1 + late;
  pipes_.hold(taken_pipe_, pipes_.free_at(taken_pipe_) + late);
  pipes_.hold_first(timings_->pipes() + 1, held_until_);
  for_each_group(ready_groups(), [&](unsigned number) {
    with_pool([&](const auto& pool) {
      const auto charge = [&](Counters& counters, unsigned count) {
        charge_held(counters, timings_->group(number).throttle, count * late);
      };
      for_each_grid<Counting::Pcs>(pool.ready(number), charge);
    });
  });
  return late;
}

/// The dispatcher, not what their group waits for, holds ready warps up for so many warp-cycles.
void SubPartition::charge_held(Counters& counters, ir::StallReason throttle, std::uint64_t cycles) {
  counters.stalls[ir::StallReason::DispatchStall] += cycles;
  counters.stalls[throttle] -= cycles;
}

template <SubPartition::Counting kCounting, typename Set>
void SubPartition::wake(WarpPool<Set>& pool, Cycle now) {
  const Set warps = pool.wake(now);
  if constexpr (kCounting == Counting::Pcs)
    for_each_warp(warps, [&](unsigned warp) { note_ready(warp, now); });
  if (now >= held_until_) return;
  for_each_warp(warps, [&](unsigned warp) {
    charge_held(counters_of<kCounting>(warp), warps_[warp].demand.throttle, held_until_ - now);
  });
}

/// Finds the warps that can issue. In this cycle they are not throttled, which charge_issue() takes them for.
template <SubPartition::Counting kCounting, typename Set>
void SubPartition::look(WarpPool<Set>& pool, Cycle now) {
  if constexpr (kCounting != Counting::OneGrid) {
    if (bars_) pool.look_for_barred(now);
  }
  const GroupSet memory = timings_->mio_groups();
  const GroupSet groups = pool.ready_groups() & ~roomless_;
  pool.set_candidates(find_open<kCounting>(pool, groups & memory, now),
                      find_open<kCounting>(pool, groups & ~memory, now), now);
}

/// The ready warps of those of the groups that find a pipe.
template <SubPartition::Counting kCounting, typename Set>
[[gnu::always_inline]] inline Set SubPartition::find_open(const WarpPool<Set>& pool, GroupSet groups,
                                                          Cycle now) {
  Set open = 0;
  for_each_group(groups, [&](unsigned number) {
    const PipeGroup& group = timings_->group(number);
    if (pipes_.free_at(group.pipes) > now) return;
    Set ready = pool.ready(number);
    if constexpr (kCounting != Counting::OneGrid) {
      if ((timings_->global_groups() >> number & 1) != 0) {
        if constexpr (kCounting == Counting::Pcs)
          for_each_warp(Set(ready & pool.barred()), [this](unsigned warp) { ++pc_notes_->warps[warp].open; });
        ready &= ~pool.barred();
      }
    }
    open |= ready;
    if constexpr (kCounting == Counting::Pcs) ++pc_notes_->open[number];
    for_each_grid<kCounting>(
        ready, [&](Counters& counters, unsigned count) { counters.stalls[group.throttle] -= count; });
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
template <SubPartition::Counting kCounting, typename Set>
[[gnu::always_inline]] inline void SubPartition::charge_issue(const WarpPool<Set>& pool, unsigned warp,
                                                              Cycle now) {
  const WarpState& state = warps_[warp];
  if (slot_from_ != now) charge_lost_slots<kCounting>(warp, now);
  slot_from_ = now + 1;
  if constexpr (kCounting == Counting::Pcs) charge_pc_issue(warp, now);
  Counters& counters = counters_of<kCounting>(warp);
  ++counters.issue_slots.issued;
  counters.stalls[state.demand.reason] += state.ready_at - state.from;
  counters.stalls[state.demand.throttle] += now + 1 - state.ready_at;
  for_each_grid<kCounting>(pool.eligible(),
                           [](Counters& of, unsigned count) { of.eligible_warp_cycles += count; });
}

/// The slots since the last issue are lost to what this warp waited for: what it was blocked by, then its
/// operands, then a pipe. Where it had not started yet, to what another one waited for. Calls
/// lose(warp, reason, slots); slots that it has taken for another reason's it gives back.
template <typename Lose>
[[gnu::always_inline]] inline void SubPartition::find_lost_slots(unsigned warp, Cycle now,
                                                                 const Lose& lose) const {
  const WarpState& state = warps_[warp];
  const Cycle since = std::clamp(state.since, slot_from_, now);
  const Cycle from = std::clamp(state.from, since, now);
  const Cycle ready_at = std::clamp(state.ready_at, from, now);
  if (since != slot_from_) {
    const unsigned another = another_than(warp);
    lose(another, warps_[another].demand.reason, since - slot_from_);
  }
  lose(warp, state.demand.blocked_by, from - since);
  for (const Blocked& each : blocked_before_) {
    if (each.warp != warp) continue;
    const Cycle slots = std::clamp(each.until, since, from) - std::clamp(each.from, since, from);
    lose(warp, state.demand.blocked_by, 0 - slots);
    lose(warp, each.reason, slots);
  }
  lose(warp, state.demand.reason, ready_at - from);
  const Cycle free_at = std::clamp(held_until_, ready_at, now);
  lose(warp, ir::StallReason::DispatchStall, free_at - ready_at);
  lose(warp, state.demand.throttle, now - free_at);
}

template <SubPartition::Counting kCounting>
[[gnu::always_inline]] inline void SubPartition::charge_lost_slots(unsigned warp, Cycle now) {
  StallCounts& lost = counters_of<kCounting>(warp).issue_slots.stalled;
  [[maybe_unused]] PcCounters* of_pc = kCounting == Counting::Pcs ? pc_counters_of(warp) : nullptr;
  find_lost_slots(warp, now, [&](unsigned whose, ir::StallReason reason, Cycle slots) {
    lost[reason] += slots;
    if constexpr (kCounting == Counting::Pcs) {
      if (whose != warp) {
        lose_of_pc(warp, whose, reason, slots);
        of_pc = pc_counters_of(warp);  // which may lie elsewhere now
      } else if (of_pc != nullptr) {
        of_pc->lost_slots[reason] += slots;
      }
    }
  });
}

/// A resident warp beside this one; this one, if there is none.
unsigned SubPartition::another_than(unsigned warp) const {
  const auto another = with_pool([warp](const auto& pool) { return pool.another_than(warp); });
  return another.value_or(warp);
}

template <SubPartition::Counting kCounting>
[[gnu::always_inline]] inline void SubPartition::take_pipe(unsigned warp, Cycle now) {
  const WarpState& state = warps_[warp];
  taken_pipe_ = pipes_.first_free(timings_->group(state.demand.group).pipes, now);
  pipes_.take(taken_pipe_, now + state.demand.interval);
  charge_pipe<kCounting>(taken_pipe_, warp, state.demand.interval);
}

Cycle SubPartition::queue_product(unsigned warp, Cycle now, Cycle cycles) {
  const Cycle begin = std::max(now, pipes_.free_at(timings_->product_pipe()));
  pipes_.take(timings_->product_pipe(), begin + cycles);
  charge_pipe<Counting::Pcs>(timings_->product_pipe(), warp, cycles);
  return begin;
}

void SubPartition::loaded(const LoadSeen& load) {
  with_pool([&](auto& pool) { pool.loaded(load); });
}

void SubPartition::lost(unsigned warp, std::uint64_t line) {
  with_pool([=](auto& pool) { pool.lost(warp, line); });
}

void SubPartition::host_prefetch(PrefetchStep step) const {
  if (step == PrefetchStep::Object) return prefetch_bytes(this, sizeof *this);
  prefetch_bytes(warps_.data(), warps_.size() * sizeof(WarpState));
  with_pool([](const auto& pool) { pool.host_prefetch(); });
}

void SubPartition::set_mio_room(bool has_room, Cycle now) {
  roomless_ = has_room ? 0 : timings_->mio_groups();
  if (has_room && ready_groups() != 0) next_ = std::min(next_, now);
}

}  // namespace heddle::sim
