#include "isa/exec/memory_instructions.h"

#include <algorithm>
#include <cstring>

#include "isa/base/host_prefetch.h"
#include "isa/base/lane_addresses.h"
#include "isa/exec/lane_places.h"
#include "isa/exec/narrow_data.h"
#include "isa/exec/wide_value.h"
#include "isa/ir/windows.h"

namespace heddle::exec {

void MemoryInstructions::access(const Decoded& op, Warp& warp, LaneMask executed) {
  switch (op.space) {
    case stream::MemorySpace::Shared: return access_shared(op, warp, executed);
    case stream::MemorySpace::Local: return access_local(op, warp, executed);
    default: return access_global(op, warp, executed);
  }
}

void MemoryInstructions::access_global(const Decoded& op, Warp& warp, LaneMask executed) {
  const LanePlaces places = place_far(addressing_.far_base(op, warp, op.a), static_cast<Addr>(op.offset),
                                      executed, op.bytes, lanes_, machine_.addresses.data());
  if (!places.aligned) addressing_.fail_address(op, warp, executed, true);
  access_buffers(op, warp, executed, places.span);
}

void MemoryInstructions::access_at(const Decoded& op, Warp& warp, LaneMask executed) {
  for_each_lane(executed, [&](unsigned lane) {
    if (machine_.addresses[lane] % op.bytes != 0) addressing_.fail_address(op, warp, executed, true);
  });
  access_buffers(op, warp, executed, span_of(machine_.addresses.data(), executed, op.bytes));
}

void MemoryInstructions::access_buffers(const Decoded& op, Warp& warp, LaneMask executed, const LaneSpan& span) {
  machine_.step.span = span;
  const Addr count = span.greatest - span.least + op.bytes;
  if (const Buffer* buffer = addressing_.buffer_at(span.least, count)) {
    return access_buffer(op, warp, executed, span, *buffer);
  }
  // The lanes lie in several buffers, or outside all of them.
  for_each_lane(executed, [&](unsigned lane) {
    const Addr address = machine_.addresses[lane];
    const Buffer* buffer = machine_.kernel.memory().buffer_at(address, op.bytes);
    if (buffer == nullptr) buffer = addressing_.forgiven_buffer(op, warp, address);
    if (buffer != nullptr)
      return access_buffer(op, warp, LaneMask{1} << lane, {address, address, false}, *buffer);
    if (!access_window(op, warp, lane)) addressing_.fail_address(op, warp, executed, false);
  });
  machine_.step.span = span_of(machine_.addresses.data(), executed, op.bytes);
}

/// A generic address of shared or local memory, or of a parameter. False if it is none, or out of bounds. Each is charged as
/// an access to L1: the lane's own local memory, or a place for the block's shared memory, or for parameters, in front of it.
bool MemoryInstructions::access_window(const Decoded& op, Warp& warp, unsigned lane) {
  const Addr address = machine_.addresses[lane];
  const auto window = static_cast<std::uint32_t>(address >> 32);
  const auto place = static_cast<std::uint32_t>(address);
  const Addr base = address - place;
  const LaneMask alone = LaneMask{1} << lane;
  const auto access = [&](std::byte* host, Addr bytes) {
    if (Addr{place} + op.bytes > bytes) return false;
    if (op.action == ir::Action::Store) count_store(op, warp, alone, host, base);
    transfer(op, warp, alone, host, base);
    return true;
  };
  if (window == ir::kSharedWindow) {
    std::vector<std::byte>& shared = machine_.shared(warp);
    if (watch_ != nullptr) [[unlikely]] {
      machine_.addresses[lane] = place;
      watch_->access_shared(watched(op, warp, alone), shared);
      machine_.addresses[lane] = address;
    }
    if (!access(shared.data(), shared.size())) return false;
    machine_.addresses[lane] = kLocalMemory - (Addr{1} << 32) + place;
    return true;
  }
  if (window == ir::kParameterWindow && op.action == ir::Action::Load) {
    const std::vector<std::byte>& bank = machine_.decoded.launch_bank;
    if (!access(const_cast<std::byte*>(bank.data()), bank.size())) return false;  // a load changes nothing
    machine_.addresses[lane] = kLocalMemory - (Addr{2} << 32) + place;
    return true;
  }
  if (window != ir::kLocalWindow) return false;
  const Addr thread_bytes = machine_.kernel.launch().kernel.local_bytes;
  if (!access(warp.local.data() + lane * thread_bytes, thread_bytes)) return false;
  machine_.addresses[lane] = local_window(warp) + local_place(place, op.bytes, lane, lanes_);
  return true;
}

void MemoryInstructions::access_buffer(const Decoded& op, Warp& warp, LaneMask lanes, const LaneSpan& span,
                                       const Buffer& buffer) {
  std::byte* host = buffer.bytes().data();
  std::byte* first = host + (span.least - buffer.address());
  const bool is_row = span.consecutive && op.bytes == 4 && op.action != ir::Action::Atomic;
  if (watch_ != nullptr) [[unlikely]] watch_->access_global(watched(op, warp, lanes), buffer);
  if (transaction_ != nullptr && !begin_access(op, warp, lanes, span, buffer)) return;
  if (op.action != ir::Action::Load && pending_ != nullptr) {
    return note(op, warp, lanes, is_row, is_row ? first : host, buffer.address());
  }
  if (op.action == ir::Action::Load && pending_ != nullptr &&
      pending_->may_hold(first, host + (span.greatest - buffer.address()) + op.bytes - 1)) {
    return load_with_pending(op, warp, lanes, host, buffer.address());
  }
  if (op.action == ir::Action::Store) count_store(op, warp, lanes, host, buffer.address());
  if (is_row) {
    move_row(op, warp, lanes, first);
    const std::size_t bytes = span.greatest - span.least + op.bytes;
    prefetch_bytes(first + bytes, bytes);  // which the next warp will ask for, most likely
  } else {
    transfer(op, warp, lanes, host, buffer.address());
  }
}

/// Tells the transaction. False for an atomic, which waits for the end of the round.
[[gnu::noinline]] bool MemoryInstructions::begin_access(const Decoded& op, Warp& warp, LaneMask lanes,
                                                        const LaneSpan& span, const Buffer& buffer) {
  std::byte* const host = buffer.bytes().data();
  if (op.action == ir::Action::Load) {
    transaction_->read(lanes, machine_.addresses.data(), span, op.bytes, host, buffer.address());
  } else if (op.action == ir::Action::Store) {
    transaction_->write(lanes, machine_.addresses.data(), span, op.bytes, buffer);
  } else {
    ++machine_.changes;
    transaction_->update(warp_atomic(op, warp, lanes), host, buffer.address());
    return false;
  }
  return true;
}

/// A store or an atomic, for when the SMs meet. Of a row, `host` is where it goes.
void MemoryInstructions::note(const Decoded& op, Warp& warp, LaneMask lanes, bool is_row, std::byte* host,
                              Addr base) {
  if (op.action == ir::Action::Atomic) {
    pending_->update(machine_.now, warp_atomic(op, warp, lanes), host, base);
  } else if (is_row) {
    pending_->store(machine_.now, host, machine_.source(warp, op.b) + first_lane(lanes),
                            std::size_t{4} * lane_count(lanes));
  } else {
    pending_->store_lanes(machine_.now, lanes, machine_.addresses.data(), machine_.source(warp, op.b),
                                  lanes_, op.bytes, host, base);
  }
}

/// What was there before, with what this SM has written since.
void MemoryInstructions::load_with_pending(const Decoded& op, Warp& warp, LaneMask lanes,
                                           const std::byte* host, Addr base) {
  std::uint32_t* const to = machine_.out(op, warp);
  for_each_lane(lanes, [&](unsigned lane) {
    const std::byte* from = host + (machine_.addresses[lane] - base);
    std::array<std::uint32_t, 4> words{};
    std::memcpy(words.data(), from, op.bytes);
    pending_->patch(words.data(), from, op.bytes);
    if (op.bytes < 4) words[0] = widened(words[0], op.bytes, op.sign_extends);
    for (unsigned word = 0; word < std::max(op.bytes / 4U, 1U); ++word)
      to[word * lanes_ + lane] = words[word];
  });
}

void MemoryInstructions::access_shared(const Decoded& op, Warp& warp, LaneMask executed) {
  std::vector<std::byte>& shared = machine_.shared(warp);
  const LaneShape& shape = addressing_.place_in_window(op, warp, executed, shared.size());
  const LaneSpan& span = machine_.step.span;
  if (watch_ != nullptr) [[unlikely]] watch_->access_shared(watched(op, warp, executed), shared);
  if (op.action == ir::Action::Store) count_store(op, warp, executed, shared.data(), 0);
  if (span.consecutive && op.bytes == 4 && op.action != ir::Action::Atomic) {
    move_row(op, warp, executed, shared.data() + span.least);
  } else if (shape.loads_by_strips && op.action == ir::Action::Load) {
    const auto first = static_cast<std::uint32_t>(machine_.addresses[first_lane(executed)]);
    load_strips(machine_.out(op, warp), shared.data(), first, shape, lanes_);
  } else {
    transfer(op, warp, executed, shared.data(), 0);
  }
}

WatchedAccess MemoryInstructions::watched(const Decoded& op, const Warp& warp, LaneMask lanes) const {
  const bool has_data = op.action == ir::Action::Store;
  return {warp.paths.pc(), machine_.context(warp).block, warp.warp_in_block, lanes, op.action, op.bytes,
          machine_.addresses.data(), has_data ? machine_.source(warp, op.b) : nullptr, lanes_};
}

/// A store that is about to act, in host memory of which `base` is the first address. While nobody watches,
/// it does not matter whether it changes anything.
[[gnu::noinline]] void MemoryInstructions::count_store(const Decoded& op, const Warp& warp, LaneMask lanes,
                                                       const std::byte* host, Addr base) {
  if (!machine_.is_watched || would_change(op, warp, lanes, host, base)) ++machine_.changes;
}

[[gnu::noinline]] bool MemoryInstructions::would_change(const Decoded& op, const Warp& warp, LaneMask lanes,
                                                        const std::byte* host, Addr base) const {
  const std::uint32_t* rows = machine_.source(warp, op.b);
  const unsigned words = std::max(op.bytes / 4U, 1U);
  bool changes = false;
  for_each_lane(lanes, [&](unsigned lane) {
    const auto value = lane_words(rows, words, lane, lanes_);
    changes |= std::memcmp(host + (machine_.addresses[lane] - base), value.data(), op.bytes) != 0;
  });
  return changes;
}

void MemoryInstructions::access_local(const Decoded& op, Warp& warp, LaneMask executed) {
  const Addr thread_bytes = machine_.kernel.launch().kernel.local_bytes;
  addressing_.place_in_window(op, warp, executed, thread_bytes);
  for (unsigned i = 0; i < lanes_; ++i) machine_.addresses[i] += i * thread_bytes;
  if (op.action == ir::Action::Store) count_store(op, warp, executed, warp.local.data(), 0);
  transfer(op, warp, executed, warp.local.data(), 0);

  const Addr window = local_window(warp);
  for (unsigned i = 0; i < lanes_; ++i)
    machine_.addresses[i] =
        window + local_place(machine_.addresses[i] - i * thread_bytes, op.bytes, i, lanes_);
  machine_.step.span = span_of(machine_.addresses.data(), executed, op.bytes);
}

/// Where the local memory of the warp's slot begins, at a multiple of every line's size.
Addr MemoryInstructions::local_window(const Warp& warp) const {
  const std::uint64_t slot = first_slot_ + machine_.slot_of(warp);
  return kLocalMemory +
         slot * round_up(Addr{machine_.kernel.launch().kernel.local_bytes} * lanes_, 1024);
}

/// Does what the instruction does between the lanes' registers and host memory, of which `base` is the first
/// address.
void MemoryInstructions::transfer(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base) {
  if (op.action == ir::Action::Atomic) {
    update(op, warp, lanes, host, base);
  } else if (op.bytes < 4) {
    move_narrow(op, warp, lanes, host, base);
  } else {
    move_data(op, warp, lanes, host, base);
  }
}

void MemoryInstructions::update(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base) {
  WarpAtomic atomic = warp_atomic(op, warp, lanes);
  if (atomic.old == nullptr) atomic.old = machine_.lost.data();
  if (apply(atomic, host, base)) ++machine_.changes;
  if (!op.writes_predicates) return;
  LaneMask holds = 0;
  for_each_lane(lanes, [&](unsigned lane) { holds |= LaneMask{atomic.old[lane]} << lane; });
  warp.set_predicate(op.out_predicate[0], holds, lanes);
}

/// Without `old` if nobody wants it.
WarpAtomic MemoryInstructions::warp_atomic(const Decoded& op, Warp& warp, LaneMask lanes) {
  WarpAtomic atomic;
  atomic.function = op.atomic;
  atomic.bytes = op.bytes;
  atomic.lanes = lanes;
  atomic.addresses = machine_.addresses.data();
  atomic.a = machine_.source(warp, op.b);
  atomic.b = machine_.source(warp, op.c);
  atomic.old = op.out_rows == 0 || op.out_is_lost ? nullptr : machine_.out(op, warp);
  atomic.tells_success = op.tells_success;
  atomic.lanes_per_row = lanes_;
  return atomic;
}

/// Moves each lane's 8 or 16 bits.
void MemoryInstructions::move_narrow(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host,
                                     Addr base) {
  if (op.action == ir::Action::Load) {
    std::uint32_t* const to = machine_.out(op, warp);
    for_each_lane(executed, [&](unsigned lane) {
      std::uint32_t word = 0;
      std::memcpy(&word, host + (machine_.addresses[lane] - base), op.bytes);
      to[lane] = widened(word, op.bytes, op.sign_extends);
    });
    return;
  }
  const std::uint32_t* data = machine_.source(warp, op.b);
  for_each_lane(executed, [&](unsigned lane) {
    std::memcpy(host + (machine_.addresses[lane] - base), &data[lane], op.bytes);
  });
}

/// Moves one word for each of neighbouring lanes, from or to neighbouring words at `host`.
void MemoryInstructions::move_row(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host) {
  const std::size_t bytes = 4 * lane_count(executed);
  if (op.action == ir::Action::Load) {
    std::memcpy(machine_.out(op, warp) + first_lane(executed), host, bytes);
  } else {
    std::memcpy(host, machine_.source(warp, op.b) + first_lane(executed), bytes);
  }
}

/// Moves each lane's words between its registers and host memory, of which `base` is the first address.
void MemoryInstructions::move_data(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host,
                                   Addr base) {
  const unsigned words = op.bytes / 4;
  const bool is_load = op.action == ir::Action::Load;
  if (is_load && executed == first_lanes(lanes_)) {
    return gather(machine_.out(op, warp), words, host, base, machine_.addresses.data(), lanes_);
  }
  const auto each_word = [&](auto move) {
    for_each_lane(executed, [&](unsigned lane) {
      std::byte* at = host + (machine_.addresses[lane] - base);
      for (unsigned word = 0; word < words; ++word)
        move(word * lanes_ + lane, at + std::size_t{4} * word);
    });
  };
  if (is_load) {
    std::uint32_t* const to = machine_.out(op, warp);
    each_word([to](unsigned place, const std::byte* from) { std::memcpy(to + place, from, 4); });
  } else {
    const std::uint32_t* data = machine_.source(warp, op.b);
    each_word([data](unsigned place, std::byte* to) { std::memcpy(to, data + place, 4); });
  }
}

}  // namespace heddle::exec
