#include "sim/sm/sub_partition.h"

#include <algorithm>
#include <bit>

namespace heddle::sim {

SubPartition::SubPartition(const SmSpec& spec, unsigned warps)
    : policy_(find_scheduler_policy(spec.scheduler)->make()),
      warps_(warps),
      older_(warps),
      pipe_free_(spec.pipes.size() + 1),
      registers_(spec.register_file) {
  counters_.pipe_busy.resize(pipe_free_.size());
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    const ir::TimingClassInfo& row = ir::info(static_cast<ir::TimingClass>(i));
    const ClassSpec& timing = spec.classes[i];
    routes_[i] = {
        timing.interval, static_cast<std::uint8_t>(timing.pipes.size()), row.uses_mio(), row.throttle, {}};
    std::copy(timing.pipes.begin(), timing.pipes.end(), routes_[i].pipes.begin());
  }
  Route& products = routes_[static_cast<std::size_t>(ir::TimingClass::WarpgroupProduct)];
  product_pipe_ = products.pipes[0];
  products.pipes[0] = static_cast<std::uint8_t>(spec.pipes.size());
  products.pipe_count = 1;
  products.interval = 1;
}

void SubPartition::start(unsigned warp, Cycle from) {
  if (resident_ == 0) {
    counters_.issue_slots.no_warp += from - slot_from_;
    slot_from_ = from;
  }
  older_[warp] = resident_;
  resident_ |= only(warp);
  warps_[warp].since = from;
  warps_[warp].from = from;
}

void SubPartition::wait(unsigned warp, Cycle now, Stamp ready, ir::TimingClass next) {
  WarpState& state = warps_[warp];
  counters_.stalls[state.reason] += now - state.from;  // what it was blocked by, if it was
  state.blocked_by = state.reason;
  state.from = now;
  state.ready_at = std::max(ready.cycle(), now);
  state.reason = ready.reason();
  state.next = next;
  wheel_.add(now, state.ready_at, warp);
  next_ = std::min(next_, state.ready_at);
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
  resident_ &= ~only(warp);
  if (resident_ == 0) {
    counters_.issue_slots.stalled[state.reason] += at - slot_from_;
    slot_from_ = at;
  }
  for (WarpSet& older : older_) older &= ~only(warp);
  policy_->retired(warp);
}

std::optional<unsigned> SubPartition::select(Cycle now) {
  // Ready warps that did not issue since they were last looked at had no pipe or no room, or no dispatcher.
  if (now > charged_) {
    if (charged_ < held_until_) charged_ = charge_held(charged_, now);
    charge_throttled(ready_classes_, now - charged_);
    charged_ = now;
  }
  wake(now);
  const Choice choice = look(now);
  eligible_ = choice.eligible;
  looked_ = now;
  if (choice.eligible == 0) {
    next_ = std::min(wheel_.next(now + 1), choice.next_open);
    return std::nullopt;
  }
  const unsigned warp = policy_->pick({choice.eligible, choice.memory, older_});
  charge_issue(warp, choice, now);
  take_pipe(routes_[static_cast<std::size_t>(warps_[warp].next)], now);
  leave_ready(warp);
  warps_[warp].since = warps_[warp].from = now + 1;
  next_ = now + 1;
  return warp;
}

ir::StallReason SubPartition::stall_of(unsigned warp, Cycle now) const {
  const auto timing_class = static_cast<std::size_t>(warps_[warp].next);
  if (looked_ == now && contains(eligible_, warp)) return ir::StallReason::NotSelected;
  if (contains(ready_[timing_class], warp)) {
    const bool is_held = slot_from_ <= now && now < held_until_;
    return is_held ? ir::StallReason::DispatchStall : routes_[timing_class].throttle;
  }
  return warps_[warp].reason;
}

Cycle SubPartition::read_registers(unsigned warp, const stream::RegisterReads& reads, Cycle now) {
  const Cycle late = registers_.read(warp, reads, now);
  if (late == 0) return 0;
  held_until_ = now + 1 + late;
  pipe_free_[taken_pipe_] += late;
  for (Cycle& free_at : pipe_free_) free_at = std::max(free_at, held_until_);
  return late;
}

/// Charges the warps that have been ready from `from` to `to`, while the dispatcher was held up; returns until when.
Cycle SubPartition::charge_held(Cycle from, Cycle to) {
  const Cycle end = std::min(held_until_, to);
  for (std::uint32_t classes = ready_classes_; classes != 0; classes &= classes - 1) {
    counters_.stalls[ir::StallReason::DispatchStall] +=
        warp_count(ready_[static_cast<unsigned>(std::countr_zero(classes))]) * (end - from);
  }
  return end;
}

void SubPartition::charge_throttled(std::uint32_t classes, Cycle cycles) {
  for (; classes != 0; classes &= classes - 1) {
    const auto timing_class = static_cast<unsigned>(std::countr_zero(classes));
    counters_.stalls[routes_[timing_class].throttle] += warp_count(ready_[timing_class]) * cycles;
  }
}

void SubPartition::wake(Cycle now) {
  for_each_warp(wheel_.due(now), [this](unsigned warp) {
    const auto timing_class = static_cast<unsigned>(warps_[warp].next);
    ready_[timing_class] |= only(warp);
    ready_classes_ |= 1U << timing_class;
  });
}

/// When an instruction of the class finds a pipe and room; kNever while its queue is full.
Cycle SubPartition::open_at(const Route& route) const {
  if (route.uses_mio && !mio_room_) return kNever;
  Cycle free_at = pipe_free_[route.pipes[0]];
  for (unsigned i = 1; i < route.pipe_count; ++i) free_at = std::min(free_at, pipe_free_[route.pipes[i]]);
  return free_at;
}

SubPartition::Choice SubPartition::look(Cycle now) const {
  Choice choice;
  for (std::uint32_t classes = ready_classes_; classes != 0; classes &= classes - 1) {
    const auto timing_class = static_cast<unsigned>(std::countr_zero(classes));
    const Cycle open = open_at(routes_[timing_class]);
    if (open <= now) {
      choice.eligible |= ready_[timing_class];
      if (routes_[timing_class].uses_mio) choice.memory |= ready_[timing_class];
    } else {
      choice.closed_classes |= 1U << timing_class;
      choice.next_open = std::min(choice.next_open, open);
    }
  }
  return choice;
}

/// Charges cycle `now` of all ready warps, and the cycles the picked one waited for its operands.
void SubPartition::charge_issue(unsigned warp, const Choice& choice, Cycle now) {
  const WarpState& state = warps_[warp];
  const std::uint64_t eligible = warp_count(choice.eligible);
  if (slot_from_ != now) charge_lost_slots(warp, now);
  ++counters_.issue_slots.issued;
  slot_from_ = now + 1;
  counters_.stalls[state.reason] += state.ready_at - state.from;
  counters_.stalls[ir::StallReason::NotSelected] += eligible - 1;
  counters_.eligible_warp_cycles += eligible;
  charge_throttled(choice.closed_classes, 1);
  charged_ = now + 1;
}

/// The slots since the last issue are lost to what this warp waited for: what it was blocked by, then its
/// operands, then a pipe. Where it had not started yet, to what another one waited for.
void SubPartition::charge_lost_slots(unsigned warp, Cycle now) {
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
  lost[routes_[static_cast<std::size_t>(state.next)].throttle] += now - free_at;
}

ir::StallReason SubPartition::reason_of_others(unsigned warp) const {
  const WarpSet others = resident_ & ~only(warp);
  return warps_[others == 0 ? warp : lowest(others)].reason;
}

void SubPartition::take_pipe(const Route& route, Cycle now) {
  unsigned choice = 0;
  while (pipe_free_[route.pipes[choice]] > now) ++choice;
  taken_pipe_ = route.pipes[choice];
  pipe_free_[taken_pipe_] = now + route.interval;
  counters_.pipe_busy[taken_pipe_] += route.interval;
}

Cycle SubPartition::queue_product(Cycle now, Cycle cycles) {
  const Cycle begin = std::max(now, pipe_free_[product_pipe_]);
  pipe_free_[product_pipe_] = begin + cycles;
  counters_.pipe_busy[product_pipe_] += cycles;
  return begin;
}

void SubPartition::leave_ready(unsigned warp) {
  const auto timing_class = static_cast<unsigned>(warps_[warp].next);
  ready_[timing_class] &= ~only(warp);
  if (ready_[timing_class] == 0) ready_classes_ &= ~(1U << timing_class);
}

void SubPartition::set_mio_room(bool has_room, Cycle now) {
  mio_room_ = has_room;
  if (has_room && ready_classes_ != 0) next_ = std::min(next_, now);
}

}  // namespace heddle::sim
