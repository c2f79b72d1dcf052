// What warps wait for besides results: barriers, sleep, fences, groups of asynchronous copies and of
// warpgroup products.
#include <algorithm>
#include <cmath>

#include "sim/sm/sm.h"

namespace heddle::sim {

/// After an instruction that may hold its warp back from here on. One that no lane executes does not.
void Sm::continue_warp(WarpSlot slot, const stream::StaticOp& op, const stream::WarpStep& step, Cycle now) {
  const bool comes = step.executed != 0;
  switch (op.kind) {
    case stream::OpKind::Barrier:
    case stream::OpKind::BarrierReduce:
    case stream::OpKind::BarrierArrive:
      if (comes) return arrive(slot, op, step.barrier, now);
      break;
    case stream::OpKind::Fence:
      if (!comes) break;
      return sub_partition_of(warps_[slot]).block(warps_[slot].place, now + 1, ir::StallReason::Membar);
    case stream::OpKind::Sleep: {
      if (!comes) break;
      const Cycle end = now + std::max<Cycle>(cycles_of(step.nanoseconds), 1);
      return resume(slot, now + 1, ReadyTime(end, ir::StallReason::Sleeping));
    }
    case stream::OpKind::CommitCopies:
      warps_[slot].copies.close_group();
      break;
    case stream::OpKind::GroupProduct:
      if (comes) start_product(slot, op, now);
      break;
    case stream::OpKind::Mbarrier:
      if (comes && step.async != nullptr) return use_barriers(slot, op, *step.async, now);
      break;
    case stream::OpKind::BulkLoad:
    case stream::OpKind::BulkStore:
      if (comes && step.async != nullptr) start_bulk_copy(slot, op, *step.async, now);
      break;
    case stream::OpKind::ArriveInGroup:
      if (comes) return meet_warpgroup(slot, now);
      break;
    default:
      break;
  }
  resume(slot, now + 1, ReadyTime(now + 1, ir::StallReason::Wait));
}

/// What the warp's next instruction waits for beyond its registers: a fence for all that was loaded, a wait
/// for groups of copies or products for these, a product for its sums, EXIT for all products.
ReadyTime Sm::more_waits(WarpSlot slot) const {
  const WarpContext& warp = warps_[slot];
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
      return *std::max_element(warp.results.begin(), warp.results.end());
  }
}

/// The sums of earlier products are in the tensor cores already; whatever else was written must be there.
ReadyTime Sm::sums_wait(const WarpContext& warp) const {
  ReadyTime ready;
  const BypassDelays bypass = timings_.of(warp.next->timing_class).bypass;
  const ir::SlotRange& sums = warp.next->sums;
  for (unsigned slot = sums.first; slot < sums.first + sums.count; ++slot) {
    if (warp.results[slot].reason() != ir::StallReason::Gmma)
      ready = std::max(ready, warp.results[slot].across(bypass));
  }
  return ready;
}

/// How long a warp's rows keep its tensor pipe: the class's interval for every eight columns, but no less
/// than shared memory takes to hand the matrices out, which the four warps read together.
Cycle Sm::product_cycles(const stream::StaticOp& op) const {
  constexpr unsigned kColumnsOfGroup = 8;
  constexpr unsigned kRows = 64;      // of all four warps
  constexpr unsigned kLine = 16 * 2;  // bytes: a column of the one matrix, a row of the other, 16 elements
  const unsigned lines = kColumnsOfGroup * op.column_groups + (op.has_matrix_in_shared ? kRows : 0U);
  const Cycle reading = divide_up(lines * kLine, spec_.sm.shared.banks * spec_.sm.shared.bank_bytes);
  return std::max(Cycle{spec_.sm.timing(op.timing_class).interval} * op.column_groups, reading);
}

/// Products queue for the pipe, and the warp goes on: how many may is not published, so that nothing limits
/// them here. Who reads or writes the sums waits for the product, too, as if they were a result: on a GPU
/// only the wait for the group does.
void Sm::start_product(WarpSlot slot, const stream::StaticOp& op, Cycle now) {
  WarpContext& warp = warps_[slot];
  const Cycle cycles = product_cycles(op);
  const Cycle begin = sub_partition_of(warp).queue_product(warp.place, now, cycles);
  const Cycle done = begin + std::max<Cycle>(cycles, spec_.sm.timing(op.timing_class).latency);
  warp.has_products = true;
  products_[slot].add(now, done, op.closes_group);
  const auto first = warp.results.begin() + op.sums.first;
  std::fill(first, first + op.sums.count, ReadyTime(done, ir::StallReason::Gmma));
}

/// At a barrier of its block, or for its warpgroup.
bool Sm::waits_for_others(WarpSlot slot) const {
  return warps_[slot].barrier >= 0 || products_[slot].waits_for_warpgroup;
}

/// The last of the four to come lets them all go on.
void Sm::meet_warpgroup(WarpSlot slot, Cycle now) {
  const WarpContext& warp = warps_[slot];
  const std::vector<WarpSlot>& slots = blocks_[warp.block].slots;
  const std::size_t first = warp.warp_in_block / stream::kWarpgroupWarps * stream::kWarpgroupWarps;
  const std::size_t end = std::min<std::size_t>(first + stream::kWarpgroupWarps, slots.size());
  products_[slot].waits_for_warpgroup = true;
  bool have_all_come = true;
  for (std::size_t i = first; i < end; ++i) {
    have_all_come = have_all_come && products_[slots[i]].waits_for_warpgroup;
  }
  if (!have_all_come) {
    sub_partition_of(warp).block(warp.place, now + 1, ir::StallReason::WarpgroupArrive);
    return release_stuck(warp.block, now + 1);
  }
  for (std::size_t i = first; i < end; ++i) {
    products_[slots[i]].waits_for_warpgroup = false;
    resume(slots[i], now + 1, ReadyTime(now + 1, ir::StallReason::WarpgroupArrive));
  }
}

Cycle Sm::cycles_of(std::uint32_t nanoseconds) const {
  return static_cast<Cycle>(std::ceil(nanoseconds * spec_.clock_mhz / 1e3));
}

}  // namespace heddle::sim
