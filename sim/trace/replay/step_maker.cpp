#include "sim/trace/replay/step_maker.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/block_barrier.h"
#include "sim/trace/format/address_end.h"
#include "sim/trace/format/marks.h"
#include "sim/trace/replay/line_mistake.h"

namespace heddle::trace {

namespace {

using stream::MemorySpace;
using stream::OpKind;

}  // namespace

/// Whether the line is a mark that the tracer writes around loops in which a warp waits.
bool StepMaker::is_mark(const TraceInstruction& instruction) {
  const Mark mark = mark_of(instruction.opcode);
  if (mark == Mark::None) return false;
  is_in_region_ = mark == Mark::RegionBegin;
  return true;
}

bool StepMaker::make(const TraceLine& line, bool is_last, TraceStep& step) {
  if (is_mark(*line.instruction)) return false;
  require_live(line.mask);
  step.op = issue(line);
  const stream::StaticOp& op = ops_[step.op];
  step.live = live_;
  step.executed = line.mask;
  if (line.mask != 0) active_ = line.mask;
  if ((active_ & live_) == 0) active_ = live_;
  step.active = active_ &= live_;
  const std::uint32_t on_path = path_.at(line, op, live_);
  if (op.may_branch && on_path != 0) step.active = on_path;
  step.barrier = {};
  step.nanoseconds = 0;
  find_addresses(line, op, step);
  if (stream::is_barrier(op.kind) && line.mask != 0) step.barrier = barrier_use(line);
  const bool is_async = op.kind == OpKind::Mbarrier || stream::is_bulk(op.kind);
  step.has_async = is_async && async_.make(line, ops_.instruction(step.op), is_in_region_, step.async);
  if (stream::is_barrier(op.kind)) async_.note_other();
  if (op.kind == OpKind::Sleep)
    step.nanoseconds =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(line.immediate, 0, stream::kLongestSleep));
  if (op.kind != OpKind::Exit) return true;
  // A loop that ends the kernel is written once. The lanes that leave it last exit together with all others.
  if (is_last && is_in_region_) step.executed = step.active = live_;
  live_ &= ~step.executed;
  return true;
}

std::uint32_t StepMaker::issue(const TraceLine& line) {
  const bool is_barrier = line.instruction->opcode.starts_with("BAR");
  if (!is_barrier || line.mask == 0) return ops_.issue(line);
  const bool is_late = barrier_ == line.instruction && (came_ & line.mask) == 0;
  barrier_ = line.instruction;
  came_ = is_late ? came_ | line.mask : line.mask;
  if ((came_ & live_) == live_) barrier_ = nullptr;
  return is_late ? ops_.issue_latecomers(line) : ops_.issue(line);
}

void StepMaker::require_live(std::uint32_t mask) const {
  if (live_ == 0) throw LineMistake("the warp goes on after all its lanes have exited");
  if ((mask & ~live_) != 0) {
    throw LineMistake(fmt::format("lane {} executes, but it has exited", first_lane(mask & ~live_)));
  }
}

/// Converts local addresses to offsets within the thread's local memory.
void StepMaker::find_addresses(const TraceLine& line, const stream::StaticOp& op, TraceStep& step) const {
  const bool is_access = stream::is_memory(op.kind) && op.space != MemorySpace::None;
  step.has_addresses = is_access && line.width != 0 && !line.has_bulk;
  step.has_shared_addresses = false;
  if (!step.has_addresses) return;
  step.addresses = line.addresses;
  for_each_lane(line.mask, [&](unsigned lane) {
    if (step.addresses[lane] < kAddressEnd) return;
    throw LineMistake(fmt::format("lane {} names {:#x}, but addresses end at {:#x}", lane,
                                  step.addresses[lane], kAddressEnd));
  });
  if (op.space != MemorySpace::Local || header_.local_base == 0) return;
  for_each_lane(line.mask, [&](unsigned lane) {
    Addr& address = step.addresses[lane];
    if (address - header_.local_base < kWindowBytes) address -= header_.local_base;
  });
}

// The barrier's number and count are operands: two immediates, two registers, or one of each. Older traces
// have only the last immediate, or none.
stream::BarrierUse StepMaker::barrier_use(const TraceLine& line) const {
  std::uint64_t id = 0;
  std::uint64_t threads = 0;
  const auto first = static_cast<std::uint64_t>(std::max<std::int64_t>(line.immediate, 0));
  const auto second = static_cast<std::uint64_t>(std::max<std::int64_t>(line.second_immediate, 0));
  if (line.instruction->has_destination) {  // then the first operand is a register
    if (!line.values.empty()) id = line.values.front().lanes[0];
    threads = first;
  } else if (header_.has_second_immediate()) {
    id = first;
    threads = second;
  } else if (first < stream::kBarriersPerBlock) {
    id = first;
  } else {
    threads = first;
  }
  stream::BarrierUse use;
  use.is_trusted = true;
  if (id < stream::kBarriersPerBlock) use.id = static_cast<std::uint8_t>(id);
  const std::uint64_t warps = divide_up(threads, kLanes);
  if (warps <= warps_per_block_) use.warps = static_cast<std::uint16_t>(warps);
  return use;
}

}  // namespace heddle::trace
