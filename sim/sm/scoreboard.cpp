#include "sim/sm/scoreboard.h"

#include <utility>

namespace heddle::sim {

Scoreboard::Scoreboard(const GpuSpec& spec, const ClassTimings& timings,
                       std::vector<SubPartition>& sub_partitions, IssueCaches& caches)
    : timings_(timings),
      sub_partitions_(sub_partitions),
      caches_(caches),
      warps_(spec.occupancy.max_warps),
      products_(spec.occupancy.max_warps),
      barriers_(spec.occupancy.max_warps) {
  for (WarpSlot slot = 0; slot < warps_.size(); ++slot) {
    warps_[slot].sub_partition = static_cast<std::uint8_t>(slot % spec.sm.sub_partitions);
    warps_[slot].place = static_cast<std::uint8_t>(slot / spec.sm.sub_partitions);
  }
}

// -- the life of a warp -------------------------------------------------------------------------------------

void Scoreboard::add_source(GridSlot grid, stream::WarpSource& source) {
  for (WarpContext& warp : warps_) {
    if (warp.source != nullptr) continue;
    warp.source = &source;
    warp.grid = grid;
  }
}

void Scoreboard::remove_source(const stream::WarpSource& source) {
  for (WarpContext& warp : warps_) {
    if (warp.source == &source) warp.source = nullptr;
  }
}

void Scoreboard::start(WarpSlot slot, const WarpStart& start, Cycle now) {
  WarpContext& warp = warps_[slot];
  warp.next = start.first;
  warp.source = start.source;
  warp.grid = start.grid;
  warp.results.assign(start.register_slots, ReadyTime());
  warp.age = start.age;
  warp.start = now;
  warp.lanes = 0;
  warp.block = static_cast<std::uint16_t>(start.block);
  warp.warp_in_block = start.warp_in_block;
  warp.copies.clear();
  if (start.first->has_control_code()) barriers_[slot] = {};
  if (std::exchange(warp.has_products, false)) products_[slot].clear();
  sub_partition_of(warp).start(warp.place, start.grid, now);
}

// -- results ------------------------------------------------------------------------------------------------

void Scoreboard::book_results(WarpContext& warp, const stream::StaticOp& op, const ClassTiming& timing,
                              Cycle now) {
  const Cycle since = timing.is_told_later ? 0 : now;
  const ReadyTime result = timing.result.after(since);
  for (const ir::RegisterSlot slot : op.writes) {
    warp.results[slot] = ir::is_guard_slot(slot) ? timing.guard.after(since) : result;
  }
}

/// The compiler has counted the ways between units: who waits for a barrier waits for no bypass. Sources are
/// read on the way through the MIO queue, whatever unit is behind it.
void Scoreboard::raise_barriers(WarpSlot slot, const stream::StaticOp& op, const ClassTiming& timing,
                                Cycle now, Cycle read_at) {
  std::vector<ReadyTime>& zero = warps_[slot].results;
  const auto raise = [&](unsigned barrier, ReadyTime end) {
    zero[barrier] = barriers_[slot].raise(barrier, zero[barrier], end);
  };
  const ReadyTime& result = timing.result;
  for (const ir::RegisterSlot barrier : op.writes)
    raise(barrier, timing.is_told_later ? result : ReadyTime(now + result.cycle(), result.reason()));
  if (op.until_read < ir::kDependenceBarriers)
    raise(op.until_read, ReadyTime(read_at, ir::StallReason::ShortScoreboard));
}

void Scoreboard::book_product(WarpSlot slot, const stream::StaticOp& op, Cycle now, Cycle done) {
  WarpContext& warp = warps_[slot];
  warp.has_products = true;
  products_[slot].add(now, done, op.closes_group);
  const auto first = warp.results.begin() + op.sums.first;
  std::fill(first, first + op.sums.count, ReadyTime(done, ir::StallReason::Gmma));
}

void Scoreboard::resume(WarpSlot slot, Cycle from, ReadyTime earliest) {
  WarpContext& warp = warps_[slot];
  warp.waits_for_result = warp.waits_for_memory = false;
  wait_for_operands<IssuePath::HeldBack>(sub_partition_of(warp), warp, slot, from, earliest);
}

/// Who waits for it looks again.
void Scoreboard::complete(WarpSlot slot, const stream::StaticOp& op, ReadyTime ready, Cycle now) {
  WarpContext& warp = warps_[slot];
  for (const ir::RegisterSlot written : op.writes) {
    ReadyTime& result = warp.results[written];
    result = op.has_control_code() ? barriers_[slot].lower(written, result, ready) : ready;
  }
  if (warp.waits_for_result) resume(slot, now, std::max(warp.earliest, ReadyTime(now, ready.reason())));
}

// -- what few instructions wait for -------------------------------------------------------------------------

/// Beside the first registers of their list: others, what the caches of instructions and constants have not,
/// and what more_waits() knows.
[[gnu::noinline]] ReadyTime Scoreboard::many_ready(const WarpContext& warp, WarpSlot slot, Cycle from) {
  const stream::StaticOp& op = *warp.next;
  const BypassDelays bypass = timings_.of(op.timing_class).bypass;
  ReadyTime ready;
  for (const ir::RegisterSlot one : op.waits_for) ready = later_of(ready, warp.results[one].across(bypass));
  if (op.constant != stream::kNoConstant || caches_.may_miss())
    ready = later_of(ready, caches_.ready(warp, from));
  if (stream::waits_for_more(op.kind)) ready = later_of(ready, more_waits(warp, slot));
  return ready;
}

/// What the warp's next instruction waits for beyond its registers: a fence for all that was loaded, if no
/// control code says when; a wait for groups of copies or products for these, a product for its sums, EXIT
/// for all products.
ReadyTime Scoreboard::more_waits(const WarpContext& warp, WarpSlot slot) const {
  switch (warp.next->kind) {
    case stream::OpKind::AwaitCopies:
      return warp.copies.done_at(warp.next->groups_left);
    case stream::OpKind::AwaitProducts:
      return products_[slot].done_at(warp.next->groups_left);
    case stream::OpKind::GroupProduct:
      return sums_wait(warp);
    case stream::OpKind::Exit:
      return warp.has_products ? products_[slot].all_done() : ReadyTime();
    default:
      if (warp.next->has_control_code()) return {};
      return *std::max_element(warp.results.begin(), warp.results.end());
  }
}

/// The sums of earlier products are in the tensor cores already; whatever else was written must be there.
ReadyTime Scoreboard::sums_wait(const WarpContext& warp) const {
  ReadyTime ready;
  const BypassDelays bypass = timings_.of(warp.next->timing_class).bypass;
  const ir::SlotRange& sums = warp.next->sums;
  for (unsigned slot = sums.first; slot < sums.first + sums.count; ++slot) {
    if (warp.results[slot].reason() != ir::StallReason::Gmma)
      ready = std::max(ready, warp.results[slot].across(bypass));
  }
  return ready;
}

}  // namespace heddle::sim
