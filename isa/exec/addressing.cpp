#include "isa/exec/addressing.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/exec/wide_value.h"
#include "isa/stream/kernel_fault.h"

namespace heddle::exec {

namespace {

const char* verb_of(const Decoded& op) {
  if (op.action == ir::Action::Atomic) return "atomic";
  return op.action == ir::Action::Store || op.action == ir::Action::StoreMatrix ? "store" : "load";
}

}  // namespace

const std::uint32_t* Addressing::near_base(const Decoded& op, const Warp& warp) {
  const std::uint32_t* const lanes = machine_.source(warp, op.a);
  if (op.scale == 1 && op.near_uniform.rows == 0) return lanes;
  const std::uint32_t all = op.near_uniform.rows == 0 ? 0 : *machine_.source(warp, op.near_uniform);
  std::uint32_t* const sums = machine_.sources[0].data();
  std::transform(lanes, lanes + machine_.lanes, sums,
                 [&](std::uint32_t lane) { return lane * op.scale + all; });
  return sums;
}

const std::uint32_t* Addressing::far_base(const Decoded& op, const Warp& warp, const SourceRows& rows) {
  const std::uint32_t* const own = machine_.source(warp, rows);
  const bool has_uniform = op.far_uniform.rows != 0;
  if (rows.rows == 2 && !has_uniform) return own;
  const Addr all = has_uniform ? wide_value(machine_.source(warp, op.far_uniform), 2, 0, machine_.lanes) : 0;
  std::uint32_t* const base = machine_.sources[1].data();  // a copy has its other address in the first
  for (unsigned lane = 0; lane < machine_.lanes; ++lane) {
    const Addr sum = all + wide_value(own, rows.rows, lane, machine_.lanes);
    base[lane] = static_cast<std::uint32_t>(sum);
    base[machine_.lanes + lane] = static_cast<std::uint32_t>(sum >> 32);
  }
  return base;
}

const LaneShape& Addressing::place_in_window(const Decoded& op, const Warp& warp, LaneMask executed,
                                             Addr window_bytes) {
  LaneShape& shape = shape_of(op.a, executed);
  const LanePlaces places = place_near(near_base(op, warp), static_cast<std::uint32_t>(op.offset), executed,
                                       op.bytes, machine_.lanes, machine_.addresses.data(), shape);
  machine_.step.span = places.span;
  machine_.step.shape = places.shape;
  if (!places.aligned) fail_address(op, warp, executed, true);
  if (places.span.greatest + op.bytes > window_bytes) fail_address(op, warp, executed, false);
  return shape;
}

const Buffer* Addressing::usable_buffer(Addr address, Addr bytes) const {
  const GlobalMemory& memory = machine_.kernel.memory();
  return machine_.kernel.launch().forgiven ? memory.buffer_reaching(address, bytes)
                                           : memory.buffer_at(address, bytes);
}

const Buffer* Addressing::forgiven_buffer(const Decoded& op, const Warp& warp, Addr address) const {
  if (!machine_.kernel.launch().forgiven) return nullptr;
  const GlobalMemory& memory = machine_.kernel.memory();
  const Buffer* buffer = memory.buffer_reaching(address, op.bytes);
  if (buffer == nullptr) return nullptr;
  const Buffer* next = memory.buffer_at_or_after(address);
  const bool is_before_next =
      next != nullptr && next->address() - address < address - buffer->address() - buffer->size();
  machine_.forgive(warp, is_before_next
                             ? fmt::format("{} before the begin of '{}'", verb_of(op), next->name())
                             : fmt::format("{} beyond the end of '{}', which has {} bytes", verb_of(op),
                                           buffer->name(), buffer->size()));
  return buffer;
}

void Addressing::fail_address(const Decoded& op, const Warp& warp, LaneMask executed,
                              bool bad_alignment) const {
  const bool is_global = op.space == stream::MemorySpace::Global;
  const bool is_local = op.space == stream::MemorySpace::Local;
  const std::uint64_t own_bytes =
      is_local ? machine_.kernel.launch().kernel.local_bytes : machine_.shared(warp).size();
  const auto is_bad = [&](Addr address) {
    if (bad_alignment) return address % op.bytes != 0;
    if (!is_global) return address + op.bytes > own_bytes;
    return usable_buffer(address, op.bytes) == nullptr;
  };
  unsigned lane = first_lane(executed);
  for_each_lane(executed, [&](unsigned candidate) {
    if (!is_bad(machine_.addresses[lane]) && is_bad(machine_.addresses[candidate])) lane = candidate;
  });
  const char* verb = verb_of(op);
  if (bad_alignment) {
    machine_.fail(warp, stream::FaultKind::Misaligned,
                  fmt::format("misaligned {} of {} bytes at {:#x} in lane {}", verb, op.bytes,
                              machine_.addresses[lane], lane),
                  lane, machine_.addresses[lane]);
  }
  if (is_global && machine_.kernel.memory().freed_at(machine_.addresses[lane]) != nullptr) {
    machine_.fail(warp, stream::FaultKind::UseAfterFree,
                  fmt::format("use after free: {} of {} bytes at {:#x} in lane {}: {}", verb, op.bytes,
                              machine_.addresses[lane], lane, freed_buffer(machine_.addresses[lane])),
                  lane, machine_.addresses[lane]);
  }
  const std::string limit = is_global  ? nearest_buffer(machine_.addresses[lane])
                            : is_local ? fmt::format("the thread has {} bytes of local memory", own_bytes)
                                       : fmt::format("the block has {} bytes of shared memory", own_bytes);
  machine_.fail(warp, stream::FaultKind::OutOfBounds,
                fmt::format("out-of-bounds {} of {} bytes at {:#x} in lane {}: {}", verb, op.bytes,
                            machine_.addresses[lane], lane, limit),
                lane, machine_.addresses[lane]);
}

/// Says where an address lies in the buffer that has been freed there.
std::string Addressing::freed_buffer(Addr address) const {
  const GlobalMemory::Freed& freed = *machine_.kernel.memory().freed_at(address);
  return fmt::format("byte {} of buffer '{}', which had {} and has been freed",
                     address - freed.buffer->address(), freed.buffer->name(), freed.bytes);
}

/// Says where an address lies relative to the buffer before it, which it most likely overran.
std::string Addressing::nearest_buffer(Addr address) const {
  const Buffer* before = nullptr;
  for (const auto& buffer : machine_.kernel.memory().buffers()) {
    if (buffer->address() <= address) before = buffer.get();
  }
  if (before == nullptr) return "no buffer lies there";
  return fmt::format("byte {} of buffer '{}', which has {}", address - before->address(), before->name(),
                     before->size());
}

Decoded as_access(const Decoded& op, ir::Action action, stream::MemorySpace space) {
  Decoded access = op;
  access.action = action;
  access.space = space;
  return access;
}

}  // namespace heddle::exec
