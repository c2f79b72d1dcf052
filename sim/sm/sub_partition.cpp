#include "sim/sm/sub_partition.h"

namespace heddle::sim {

SubPartition::SubPartition(const SmSpec& spec, const ClassTimings& timings, unsigned warps)
    : pools_(scheduler_policy(spec.scheduler), warps),
      vetoes_(scheduler_policy(spec.scheduler).watches_l1),
      is_fast_(!pools_.are_wide() && !vetoes_),
      dispatcher_(spec, timings),
      waits_(warps),
      ledger_(warps) {}

void SubPartition::count_in(PcLedger* ledger, const WarpContext* first, unsigned stride,
                            std::vector<StallSpan>* spans) {
  ledger_.pcs().count_in(ledger, first, stride, waits_.all().size(), spans);
  choose_counting();
}

void SubPartition::choose_counting() {
  is_fast_ = !ledger_.is_mixed() && !pools_.are_wide() && !vetoes_ && !ledger_.pcs().is_on();
}

// -- the life of a warp -------------------------------------------------------------------------------------

void SubPartition::start(unsigned warp, GridSlot grid, Cycle from) {
  ledger_.start(warp, grid, from, pools_.is_empty());
  choose_counting();
  pools_.with([warp](auto& pool) { pool.start(warp); });
  waits_.begin(warp, from);
}

void SubPartition::block(unsigned warp, Cycle now, ir::StallReason reason) {
  const WarpWait& wait = waits_[warp];
  if (wait.from != now && wait.demand.reason == reason) return;  // it is blocked for this reason already
  ledger_.stall(warp, wait, now);
  waits_.block(warp, now, reason);
}

void SubPartition::retire(unsigned warp, Cycle at) {
  pools_.with([warp](auto& pool) { pool.retire(warp); });
  ledger_.retire(warp, waits_[warp], at, pools_.is_empty());
}

// -- a cycle ------------------------------------------------------------------------------------------------

unsigned SubPartition::select(Cycle now) {
  return is_fast_ ? select_from<Counting::OneGrid>(pools_.narrow(), now) : select_general(now);
}

// Not inlined, so that the compiler inlines the fast path above.
[[gnu::noinline]] unsigned SubPartition::select_general(Cycle now) {
  const bool is_simple = !ledger_.is_mixed() && !vetoes_;
  if (ledger_.pcs().is_on()) {
    if (pools_.are_wide()) return select_from<Counting::AnyGridsAndPcs>(pools_.wide(), now);
    return is_simple ? select_from<Counting::OneGridAndPcs>(pools_.narrow(), now)
                     : select_from<Counting::AnyGridsAndPcs>(pools_.narrow(), now);
  }
  if (!pools_.are_wide()) return select_from<Counting::AnyGrids>(pools_.narrow(), now);
  return is_simple ? select_from<Counting::OneGrid>(pools_.wide(), now)
                   : select_from<Counting::AnyGrids>(pools_.wide(), now);
}

template <Counting kCounting, typename Set>
[[gnu::always_inline]] inline unsigned SubPartition::select_from(WarpPool<Set>& pool, Cycle now) {
  wake<kCounting>(pool, now);
  find_eligible<kCounting>(pool, now);
  if (pool.eligible() == 0) {
    next_ = std::min(pool.first_end(now + 1), dispatcher_.next_open(pool.ready_groups()));
    // The pipe of a vetoed warp may be free already: the policy is asked again in the next cycle.
    if constexpr (takes_any_grids(kCounting)) next_ = std::max(next_, now + 1);
    return kNoWarp;
  }
  const unsigned warp = pool.pick();
  const IssueDemand& demand = waits_[warp].demand;
  ledger_.issue<kCounting>(pool, waits_, warp, dispatcher_.held_until(), now);
  ledger_.keep_pipe<kCounting>(dispatcher_.take_pipe(demand, now), warp, demand.interval);
  pool.leave_ready(warp, demand.group);
  waits_.begin(warp, now + 1);
  next_ = now + 1;
  return warp;
}

template <Counting kCounting, typename Set>
void SubPartition::wake(WarpPool<Set>& pool, Cycle now) {
  const Set warps = pool.wake(now);
  const Cycle held_until = std::max(dispatcher_.held_until(), now);
  if constexpr (counts_pcs(kCounting)) {
    for_each_warp(warps, [&](unsigned warp) {
      ledger_.pcs().ready(warp, waits_[warp].demand.group, held_until - now);
    });
  }
  if (held_until == now) return;
  for_each_warp(warps, [&](unsigned warp) {
    ledger_.hold<kCounting>(only<Set>(warp), waits_[warp].demand.throttle, held_until - now);
  });
}

/// Finds the eligible warps.
template <Counting kCounting, typename Set>
void SubPartition::find_eligible(WarpPool<Set>& pool, Cycle now) {
  if constexpr (takes_any_grids(kCounting)) {
    if (vetoes_) pool.update_vetoed(now);
  }
  const GroupSet memory = timings().mio_groups();
  const GroupSet groups = dispatcher_.with_room(pool.ready_groups());
  pool.set_candidates(with_free_pipe<kCounting>(pool, groups & memory, now),
                      with_free_pipe<kCounting>(pool, groups & ~memory, now), now);
}

/// The ready warps that find a free pipe and that the policy does not veto.
template <Counting kCounting, typename Set>
[[gnu::always_inline]] inline Set SubPartition::with_free_pipe(const WarpPool<Set>& pool, GroupSet groups,
                                                               Cycle now) {
  Set open = 0;
  for_each_group(groups, [&](unsigned number) {
    const PipeGroup& group = timings().group(number);
    if (!dispatcher_.has_pipe(group, now)) return;
    const Set ready = without_vetoed<kCounting>(pool, number);
    open |= ready;
    ledger_.note_open<kCounting>(ready, group.throttle);
  });
  return open;
}

/// The ready warps of a group that has a free pipe, without those that the policy vetoes.
template <Counting kCounting, typename Set>
[[gnu::always_inline]] inline Set SubPartition::without_vetoed(const WarpPool<Set>& pool, unsigned group) {
  const Set ready = pool.ready(group);
  if constexpr (counts_pcs(kCounting)) ledger_.pcs().open(group);
  if constexpr (!takes_any_grids(kCounting)) {
    return ready;
  } else {
    const bool may_be_vetoed = (timings().global_groups() >> group & 1) != 0;
    const Set vetoed = may_be_vetoed ? Set(ready & pool.vetoed()) : Set{0};
    if constexpr (counts_pcs(kCounting)) {
      for_each_warp(vetoed, [this](unsigned warp) { ledger_.pcs().veto(warp); });
    }
    return ready & ~vetoed;
  }
}

ir::StallReason SubPartition::stall_of(unsigned warp, Cycle now) const {
  const WarpWait& wait = waits_[warp];
  if (pools_.with([=](const auto& pool) { return pool.was_eligible(warp, now); }))
    return ir::StallReason::NotSelected;
  const auto is_ready = [&](const auto& pool) { return contains(pool.ready(wait.demand.group), warp); };
  if (pools_.with(is_ready)) {
    const bool is_held = ledger_.slots_until() <= now && now < dispatcher_.held_until();
    return is_held ? ir::StallReason::DispatchStall : wait.demand.throttle;
  }
  // Before `from` the warp was blocked, and had not begun to wait for its operands.
  return now < wait.from ? wait.demand.blocked_by : wait.demand.reason;
}

// -- after an issue -----------------------------------------------------------------------------------------

Cycle SubPartition::read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now) {
  const Cycle late = dispatcher_.read_registers(warp, reads, now);
  if (late == 0) return 0;
  ledger_.pcs().hold(late);
  for_each_group(pools_.ready_groups(), [&](unsigned number) {
    pools_.with([&](const auto& pool) {
      ledger_.hold<Counting::AnyGrids>(pool.ready(number), timings().group(number).throttle, late);
    });
  });
  return late;
}

Cycle SubPartition::queue_product(unsigned warp, Cycle now, Cycle cycles) {
  ledger_.keep_pipe<Counting::AnyGrids>(timings().product_pipe(), warp, cycles);
  return dispatcher_.queue_product(now, cycles);
}

void SubPartition::set_mio_room(bool has_room, Cycle now) {
  dispatcher_.set_mio_room(has_room);
  if (has_room && pools_.ready_groups() != 0) next_ = std::min(next_, now);
}

void SubPartition::loaded(const LoadSeen& load) {
  pools_.with([&](auto& pool) { pool.loaded(load); });
}

void SubPartition::lost(unsigned warp, std::uint64_t line) {
  pools_.with([=](auto& pool) { pool.lost(warp, line); });
}

void SubPartition::host_prefetch(PrefetchStep step) const {
  if (step == PrefetchStep::Object) return prefetch_bytes(this, sizeof *this);
  prefetch_bytes(waits_.all().data(), waits_.all().size() * sizeof(WarpWait));
  pools_.with([](const auto& pool) { pool.host_prefetch(); });
}

}  // namespace heddle::sim
