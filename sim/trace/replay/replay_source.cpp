#include "sim/trace/replay/replay_source.h"

#include <fmt/format.h>

#include "isa/base/lane_addresses.h"

namespace heddle::trace {

namespace {

using stream::MemorySpace;
using stream::OpKind;

void interleave(LaneMask lanes, Addr window, unsigned bytes, std::array<Addr, kLanes>& addresses) {
  for_each_lane(lanes, [&](unsigned lane) {
    addresses[lane] = window + local_place(addresses[lane], bytes, lane, kLanes);
  });
}

}  // namespace

ReplaySource::ReplaySource(ReplayKernel& kernel, SmId sm, std::uint32_t warp_slots)
    : kernel_(kernel), first_slot_(std::uint64_t{sm} * warp_slots) {
  warps_.reserve(warp_slots);
  for (std::uint32_t slot = 0; slot < warp_slots; ++slot) warps_.emplace_back(kernel.store_);
}

void ReplaySource::start_block(BlockId block, std::span<const WarpSlot> slots,
                               std::span<const stream::StaticOp*> first) {
  LoadedBlock loaded;
  {
    const std::lock_guard lock(kernel_.shared_);
    loaded = kernel_.loader_.take(block);
  }
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    Warp& warp = warps_[slots[i]];
    warp.loaded = std::move(loaded.warps[i]);
    warp.unpacker = {};
    warp.end = nullptr;
    warp.issued = 0;
    warp.block = loaded.id;
    warp.index = i;
    first[i] = find_next(warp);
  }
}

/// The next operation of the warp; null after the last one.
const stream::StaticOp* ReplaySource::find_next(Warp& warp) {
  if (warp.unpacker.at() == warp.end) {
    const std::lock_guard lock(kernel_.shared_);
    if (!warp.loaded.steps.take_piece(warp.piece)) return warp.next = nullptr;
    warp.unpacker.start(warp.piece.data());
    warp.end = warp.piece.data() + warp.piece.size();
  }
  return warp.next = &kernel_.ops_[warp.unpacker.read_op()];
}

const stream::WarpStep& ReplaySource::issue(WarpSlot slot, Cycle) {
  Warp& warp = warps_[slot];
  const stream::StaticOp& op = *warp.next;
  warp.unpacker.read_rest(step_);
  ++warp.issued;
  told_ = {};
  told_.live = step_.live;
  told_.active = step_.active;
  told_.executed = step_.executed;
  told_.barrier = step_.barrier;
  told_.nanoseconds = step_.nanoseconds;
  if (step_.has_addresses) describe_access(op, slot);
  if (step_.has_async) told_.async = describe_async(warp);
  told_.next = find_next(warp);
  if (op.may_scatter && told_.next != nullptr) told_.next_active = active_next(warp);
  return told_;
}

/// The active lanes of the next operation.
LaneMask ReplaySource::active_next(const Warp& warp) {
  Unpacker ahead = warp.unpacker;
  ahead.read_rest(ahead_);
  return ahead_.active;
}

const stream::AsyncStep* ReplaySource::describe_async(const Warp& warp) {
  stream::AsyncStep& async = step_.async;
  const CopyPlan::Share share =
      async.uses.empty() ? CopyPlan::Share() : warp.loaded.copies->share(async.uses[0].barrier);
  async.copies_per_phase = share.copies_per_phase;
  async.phases = share.phases;
  return &async;
}

void ReplaySource::describe_access(const stream::StaticOp& op, WarpSlot slot) {
  if (op.space == MemorySpace::Local && told_.executed != 0 &&
      step_.addresses[first_lane(told_.executed)] < kWindowBytes) {
    interleave(told_.executed, kLocalMemory + (first_slot_ + slot) * kWindowBytes * kLanes, op.bytes_per_lane,
               step_.addresses);
  }
  told_.addresses = step_.addresses.data();
  told_.span = span_of(told_.addresses, told_.executed, op.bytes_per_lane);
  if (op.kind != OpKind::Copy) return;
  // A trace does not tell where the data go; they are assumed to be contiguous by lane.
  if (!step_.has_shared_addresses) {
    for (unsigned lane = 0; lane < kLanes; ++lane) step_.shared_addresses[lane] = lane * op.bytes_per_lane;
  }
  told_.shared_addresses = step_.shared_addresses.data();
}

void ReplaySource::end_block(std::span<const WarpSlot> slots) {
  const std::lock_guard lock(kernel_.shared_);
  for (const WarpSlot slot : slots) warps_[slot].loaded = {PackedWarp(kernel_.store_), 0, nullptr};
}

std::string ReplaySource::describe(WarpSlot slot) const {
  const Warp& warp = warps_[slot];
  const std::string opcode = warp.next == nullptr ? "the end" : kernel_.instruction_text(warp.next->pc);
  return fmt::format("line {} of {} ({}), block {},{},{}, warp {}", warp.loaded.first_line + warp.issued,
                     kernel_.file_, opcode, warp.block[0], warp.block[1], warp.block[2], warp.index);
}

}  // namespace heddle::trace
