#include "sim/sm/sub_partition.h"

#include <algorithm>
#include <bit>

namespace heddle::sim {

namespace {

std::uint64_t warp_count(WarpSet warps) { return static_cast<std::uint64_t>(std::popcount(warps)); }

constexpr WarpSet only(unsigned warp) { return WarpSet{1} << warp; }

ir::StallReason throttle_of(unsigned timing_class) {
  return ir::info(static_cast<ir::TimingClass>(timing_class)).throttle;
}

}  // namespace

SubPartition::SubPartition(const SmSpec& spec, unsigned warps)
    : spec_(spec),
      policy_(find_scheduler_policy(spec.scheduler)->make()),
      warps_(warps),
      ages_(warps),
      pipe_free_(spec.pipes.size()) {
  counters_.pipe_busy.resize(spec.pipes.size());
}

void SubPartition::start(unsigned warp, std::uint64_t age, Cycle from) {
  if (resident_ == 0) {
    counters_.issue_slots.no_warp += from - slot_from_;
    slot_from_ = from;
  }
  resident_ |= only(warp);
  ages_[warp] = age;
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

void SubPartition::retire(unsigned warp) { resident_ &= ~only(warp); }

std::optional<unsigned> SubPartition::select(Cycle now) {
  charge_throttled(now);
  wake(now);
  Cycle next_free = kNever;
  const WarpSet eligible_warps = eligible(now, next_free);
  if (eligible_warps == 0) {
    next_ = std::min(wheel_.next(now + 1), next_free);
    return std::nullopt;
  }
  const unsigned warp = policy_->pick(eligible_warps, ages_);
  charge_issue(warp, eligible_warps, now);
  const ir::TimingClass timing_class = warps_[warp].next;
  WarpSet& ready = ready_[static_cast<std::size_t>(timing_class)];
  ready &= ~only(warp);
  if (ready == 0) ready_classes_ &= ~(1U << static_cast<unsigned>(timing_class));
  take_pipe(timing_class, now);
  warps_[warp].since = warps_[warp].from = now + 1;
  next_ = now + 1;
  return warp;
}

/// Ready warps that did not issue since they were last looked at had no pipe or no room.
void SubPartition::charge_throttled(Cycle now) {
  if (now <= charged_) return;
  for (std::uint32_t classes = ready_classes_; classes != 0; classes &= classes - 1) {
    const auto timing_class = static_cast<unsigned>(std::countr_zero(classes));
    counters_.stalls[throttle_of(timing_class)] += warp_count(ready_[timing_class]) * (now - charged_);
  }
  charged_ = now;
}

void SubPartition::wake(Cycle now) {
  for (WarpSet due = wheel_.due(now); due != 0; due &= due - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(due));
    const auto timing_class = static_cast<unsigned>(warps_[warp].next);
    ready_[timing_class] |= only(warp);
    ready_classes_ |= 1U << timing_class;
  }
}

/// When an instruction of the class finds a pipe and room; kNever while its queue is full.
Cycle SubPartition::class_free_at(unsigned timing_class) const {
  if (!mio_room_ && ir::info(static_cast<ir::TimingClass>(timing_class)).uses_mio()) return kNever;
  Cycle free_at = kNever;
  for (const std::uint8_t pipe : spec_.classes[timing_class].pipes) {
    free_at = std::min(free_at, pipe_free_[pipe]);
  }
  return free_at;
}

/// The ready warps that can issue; `next_free` becomes the first cycle at which one of the others can.
WarpSet SubPartition::eligible(Cycle now, Cycle& next_free) const {
  WarpSet warps = 0;
  for (std::uint32_t classes = ready_classes_; classes != 0; classes &= classes - 1) {
    const auto timing_class = static_cast<unsigned>(std::countr_zero(classes));
    const Cycle free_at = class_free_at(timing_class);
    if (free_at <= now) {
      warps |= ready_[timing_class];
    } else {
      next_free = std::min(next_free, free_at);
    }
  }
  return warps;
}

/// Charges cycle `now` of all ready warps, and the cycles the picked one waited for its operands.
void SubPartition::charge_issue(unsigned warp, WarpSet eligible_warps, Cycle now) {
  const WarpState& state = warps_[warp];
  charge_lost_slots(warp, now);
  ++counters_.issue_slots.issued;
  slot_from_ = now + 1;
  counters_.stalls[state.reason] += state.ready_at - state.from;
  counters_.stalls[ir::StallReason::NotSelected] += warp_count(eligible_warps) - 1;
  counters_.eligible_warp_cycles += warp_count(eligible_warps);
  for (std::uint32_t classes = ready_classes_; classes != 0; classes &= classes - 1) {
    const auto timing_class = static_cast<unsigned>(std::countr_zero(classes));
    counters_.stalls[throttle_of(timing_class)] += warp_count(ready_[timing_class] & ~eligible_warps);
  }
  charged_ = now + 1;
}

/// The slots since the last issue are lost to what this warp waited for: what it was blocked by, then its
/// operands, then a pipe. Where it had not started yet, to what another one waited for.
void SubPartition::charge_lost_slots(unsigned warp, Cycle now) {
  if (slot_from_ == now) return;
  const WarpState& state = warps_[warp];
  const Cycle since = std::clamp(state.since, slot_from_, now);
  const Cycle from = std::clamp(state.from, since, now);
  const Cycle ready_at = std::clamp(state.ready_at, from, now);
  StallCounts& lost = counters_.issue_slots.stalled;
  if (since != slot_from_) lost[reason_of_others(warp)] += since - slot_from_;
  lost[state.blocked_by] += from - since;
  lost[state.reason] += ready_at - from;
  lost[throttle_of(static_cast<unsigned>(state.next))] += now - ready_at;
}

ir::StallReason SubPartition::reason_of_others(unsigned warp) const {
  const WarpSet others = resident_ & ~only(warp);
  return warps_[others == 0 ? warp : static_cast<unsigned>(std::countr_zero(others))].reason;
}

void SubPartition::take_pipe(ir::TimingClass timing_class, Cycle now) {
  const ClassSpec& spec = spec_.classes[static_cast<std::size_t>(timing_class)];
  std::size_t pipe = spec.pipes.front();
  for (const std::uint8_t candidate : spec.pipes) {
    if (pipe_free_[candidate] <= now) {
      pipe = candidate;
      break;
    }
  }
  pipe_free_[pipe] = now + spec.interval;
  counters_.pipe_busy[pipe] += spec.interval;
}

void SubPartition::set_mio_room(bool has_room, Cycle now) {
  mio_room_ = has_room;
  if (has_room && ready_classes_ != 0) next_ = std::min(next_, now);
}

}  // namespace heddle::sim
