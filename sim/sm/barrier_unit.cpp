#include "sim/sm/barrier_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/stream/kernel_fault.h"

namespace heddle::sim {

namespace {

/// Calls visit(number) for each bit that is set.
template <typename Visitor>
void for_each_bit(std::uint32_t bits, Visitor visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<unsigned>(std::countr_zero(bits)));
}

}  // namespace

// Blocks have warps: there are never more of them than warp slots.
BarrierUnit::BarrierUnit(const BarrierSpec& spec, Scoreboard& warps)
    : spec_(spec), warps_(warps), closed_(warps.all().size()), awaited_(warps.all().size(), kNone) {}

stream::BlockBarrier& BarrierUnit::barrier(std::uint32_t block, unsigned number) {
  if (barriers_.size() <= block) barriers_.resize(block + std::size_t{1});
  return barriers_[block][number];
}

void BarrierUnit::require_match(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use,
                                const ResidentBlock& block) {
  const WarpContext& warp = warps_[slot];
  const std::string wrong = barrier(warp.block, use.id).mismatch(op, use);
  if (wrong.empty()) return;
  stream::FaultPlace place;
  place.pc = op.pc;
  throw stream::KernelFault(
      stream::FaultKind::Barrier,
      fmt::format("kernel {}: mismatched barrier {}: {}; before {}", block.grid->shape.kernel, use.id, wrong,
                  warp.source->describe(slot)),
      place);
}

void BarrierUnit::arrive(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use,
                         const ResidentBlock& resident, Cycle now) {
  require_match(slot, op, use, resident);
  const std::uint32_t block = warps_[slot].block;
  stream::BlockBarrier& at = barrier(block, use.id);
  at.arrive(op, use, slot);
  closed_[block] |= std::uint32_t{1} << use.id;
  const Cycle taken = take_arrival(now);
  if (op.kind == stream::OpKind::BarrierArrive) {
    warps_.resume(slot, now + 1, stall_after(op, now));
  } else {
    awaited_[slot] = use.id;
    warps_.block(slot, now + 1, ir::StallReason::Barrier);
  }
  if (at.is_complete(resident.live_warps)) open(block, use.id, taken, now);
}

void BarrierUnit::warp_exits(std::uint32_t block, std::uint32_t live_warps, Cycle now) {
  for_each_bit(closed_[block], [&](unsigned number) {
    if (barriers_[block][number].is_complete(live_warps)) open(block, number, take_arrival(now), now);
  });
}

/// To those that are still closed, warps have come that did not wait.
void BarrierUnit::end_block(std::uint32_t block) {
  for_each_bit(closed_[block], [&](unsigned number) { barriers_[block][number].open(); });
  closed_[block] = 0;
}

Cycle BarrierUnit::take_arrival(Cycle now) {
  free_ = std::max(free_, now) + spec_.per_warp;
  return free_;
}

void BarrierUnit::open(std::uint32_t block, unsigned number, Cycle taken, Cycle now) {
  const ReadyTime open(taken + spec_.base, ir::StallReason::Barrier);
  for (const WarpSlot slot : barriers_[block][number].waiting()) {
    awaited_[slot] = kNone;
    warps_.resume(slot, now + 1, open);
  }
  barriers_[block][number].open();
  closed_[block] &= ~(std::uint32_t{1} << number);
}

std::string BarrierUnit::describe(WarpSlot slot, std::uint32_t live_warps) const {
  const unsigned number = awaited_[slot];
  return fmt::format("waits at barrier {} {}", number,
                     barriers_[warps_[slot].block][number].describe(live_warps));
}

}  // namespace heddle::sim
