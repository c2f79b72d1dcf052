#include "sim/sm/address_unit.h"

#include <algorithm>
#include <cstddef>

#include "isa/base/lane_addresses.h"

namespace heddle::sim {

namespace {

LaneAccess access_of(const stream::StaticOp& op, const stream::WarpStep& step) {
  return {step.addresses, step.executed, op.bytes_per_lane, step.span};
}

/// Where instructions of one kind are counted.
struct AccessCounters {
  std::uint64_t MemoryCounters::*requests;
  std::uint64_t MemoryCounters::*amount;            // sectors, or passes over the banks,
  std::uint64_t MemoryCounters::*excess = nullptr;  // and those that other addresses would not need
};

/// Loads, stores and atomics of the global, shared and local spaces, in the order of MemorySpace.
const AccessCounters& counters_for(const stream::StaticOp& op) {
  using M = MemoryCounters;
  static constexpr AccessCounters kCounters[3][3] = {
      {{&M::global_load_requests, &M::global_load_sectors, &M::global_load_excess_sectors},
       {&M::global_store_requests, &M::global_store_sectors, &M::global_store_excess_sectors},
       {&M::global_atomic_requests, &M::global_atomic_sectors}},
      {{&M::shared_load_requests, &M::shared_load_passes, &M::shared_load_bank_conflicts},
       {&M::shared_store_requests, &M::shared_store_passes, &M::shared_store_bank_conflicts},
       {&M::shared_atomic_requests, &M::shared_atomic_passes, &M::shared_atomic_bank_conflicts}},
      {{&M::local_load_requests, &M::local_load_sectors},
       {&M::local_store_requests, &M::local_store_sectors},
       {&M::global_atomic_requests, &M::global_atomic_sectors}},  // never: no GPU has them
  };
  const auto space =
      static_cast<std::size_t>(op.space) - static_cast<std::size_t>(stream::MemorySpace::Global);
  const bool is_load = op.kind == stream::OpKind::Load;
  return kCounters[space][is_load ? 0U : op.kind == stream::OpKind::Store ? 1U : 2U];
}

}  // namespace

AddressUnit::AddressUnit(const GpuSpec& spec, const L1Cache& l1, LsuCounters& counters)
    : shared_(spec.sm.shared),
      geometry_{spec.l1.line_bytes, spec.l1.sector_bytes},
      tag_banks_(spec.l1.tags_per_cycle, spec.l1.line_bytes, spec.l1.enabled),
      l1_(l1),
      counters_(counters) {}

/// What the instruction will ask of the shared stage.
void AddressUnit::describe(MioEntry& entry, const stream::WarpStep& step) {
  const stream::StaticOp& op = *entry.owner.op;
  entry.passes = 1;
  entry.copy_passes = 1;
  entry.lines.clear();
  if (step.addresses == nullptr || step.executed == 0) return;
  if (op.kind == stream::OpKind::Copy) return describe_copy(entry, step);
  const AccessCounters& names = counters_for(op);
  std::uint64_t amount = 0;
  std::uint64_t excess = 0;
  if (op.space == stream::MemorySpace::Shared) {
    const BankPasses passes = shared_passes(op, step);
    amount = entry.passes = passes.all;
    excess = passes.for_conflicts;
  } else {
    describe_lines(entry, step);
    amount = sector_count(entry.lines);
    if (names.excess != nullptr) excess = excess_sectors(step, op, amount);
  }
  counters_.count(entry.owner, [&](MemoryCounters& counts) {
    ++(counts.*names.requests);
    counts.*names.amount += amount;
    if (names.excess != nullptr) counts.*names.excess += excess;
  });
}

/// Above those that hold the bytes of the lanes side by side.
std::uint64_t AddressUnit::excess_sectors(const stream::WarpStep& step, const stream::StaticOp& op,
                                          std::uint64_t sectors) const {
  const std::uint64_t bytes = std::uint64_t{lane_count(step.executed)} * op.bytes_per_lane;
  return sectors - std::min(sectors, divide_up(bytes, geometry_.sector_bytes));
}

BankPasses AddressUnit::shared_passes(const stream::StaticOp& op, const stream::WarpStep& step) {
  const LaneAccess access = access_of(op, step);
  if (op.matrices != 0) return matrix_passes(access, op.matrices, shared_);
  const bool in_turns = op.kind == stream::OpKind::Atomic && !op.joins_lanes;
  return in_turns ? atomic_passes(access, shared_) : passes_.of(step.shape, access, shared_);
}

/// What atomics send crosses the stage without regard to banks: it comes out of registers and goes to L2.
void AddressUnit::describe_lines(MioEntry& entry, const stream::WarpStep& step) {
  const stream::StaticOp& op = *entry.owner.op;
  const LaneAccess access = access_of(op, step);
  coalesce(access, geometry_, entry.lines);
  const bool is_store = op.kind == stream::OpKind::Store;
  if (!is_store || l1_.keeps_stores()) l1_.host_prefetch(entry.lines[0].line);
  const unsigned turns = tag_banks_.take_turns(entry.lines);
  entry.leaves_sectors =
      is_store && l1_.keeps_stores() && find_whole_sectors(access, geometry_, entry.lines, entry.left);
  if (op.space == stream::MemorySpace::Local) entry.lines.move(local_memory_of(entry.owner.grid));
  if (op.kind != stream::OpKind::Atomic) {
    entry.passes = std::max(turns, cache_passes(access, shared_));
    return;
  }
  count_atomic_lanes(access, geometry_, entry.lines);
  const std::uint32_t width = shared_.banks * shared_.bank_bytes;
  const std::uint64_t bytes = std::uint64_t{lane_count(step.executed)} * op.bytes_per_lane;
  entry.passes = std::max(turns, static_cast<std::uint32_t>(divide_up(bytes, width)));
}

/// A copy counts as a load from global memory and as a store to shared memory.
void AddressUnit::describe_copy(MioEntry& entry, const stream::WarpStep& step) {
  const std::uint32_t bytes = entry.owner.op->bytes_per_lane;
  describe_lines(entry, step);
  const BankPasses passes = bank_passes(lane_access(step.shared_addresses, step.executed, bytes), shared_);
  entry.copy_passes = static_cast<std::uint16_t>(passes.all);
  const std::uint64_t sectors = sector_count(entry.lines);
  const std::uint64_t excess = excess_sectors(step, *entry.owner.op, sectors);
  counters_.count(entry.owner, [&](MemoryCounters& counters) {
    ++counters.global_load_requests;
    counters.global_load_sectors += sectors;
    counters.global_load_excess_sectors += excess;
    ++counters.shared_store_requests;
    counters.shared_store_passes += passes.all;
    counters.shared_store_bank_conflicts += passes.for_conflicts;
  });
}

}  // namespace heddle::sim
