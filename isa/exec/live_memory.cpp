// Loads and stores of LiveSource: addresses, checks, and the movement of data.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/base/host_prefetch.h"
#include "isa/base/lane_addresses.h"
#include "isa/exec/lane_places.h"
#include "isa/exec/live_source.h"
#include "isa/exec/narrow_data.h"
#include "isa/exec/wide_value.h"

namespace heddle::exec {

void LiveSource::access_memory(const Decoded& op, Warp& warp, LaneMask executed) {
  switch (op.space) {
    case stream::MemorySpace::Shared:
      return access_shared(op, warp, executed);
    case stream::MemorySpace::Local:
      return access_local(op, warp, executed);
    default:
      return access_global(op, warp, executed);
  }
}

void LiveSource::access_global(const Decoded& op, Warp& warp, LaneMask executed) {
  const LanePlaces places = place_far(far_base(op, warp, op.a), static_cast<Addr>(op.offset), executed,
                                      op.bytes, lanes_, addresses_.data());
  if (!places.aligned) fail_address(op, warp, executed, true);
  const LaneSpan& span = places.span;
  step_.span = span;
  const Addr count = span.greatest - span.least + op.bytes;
  if (const Buffer* buffer = buffer_at(span.least, count)) {
    return access_buffer(op, warp, executed, span, *buffer);
  }
  // The lanes lie in several buffers, or outside all of them.
  for_each_lane(executed, [&](unsigned lane) {
    const Addr address = addresses_[lane];
    const Buffer* buffer = kernel_.memory().buffer_at(address, op.bytes);
    if (buffer == nullptr) fail_address(op, warp, executed, false);
    access_buffer(op, warp, LaneMask{1} << lane, {address, address, false}, *buffer);
  });
}

void LiveSource::access_buffer(const Decoded& op, Warp& warp, LaneMask lanes, const LaneSpan& span,
                               const Buffer& buffer) {
  std::byte* host = buffer.bytes().data();
  std::byte* first = host + (span.least - buffer.address());
  const bool is_row = span.consecutive && op.bytes == 4 && op.action != ir::Action::Atomic;
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

/// A store or an atomic, for when the SMs meet. Of a row, `host` is where it goes.
void LiveSource::note(const Decoded& op, Warp& warp, LaneMask lanes, bool is_row, std::byte* host,
                      Addr base) {
  if (op.action == ir::Action::Atomic) {
    pending_->update(now_, warp_atomic(op, warp, lanes), host, base);
  } else if (is_row) {
    pending_->store(now_, host, source(warp, op.b) + first_lane(lanes), std::size_t{4} * lane_count(lanes));
  } else {
    pending_->store_lanes(now_, lanes, addresses_.data(), source(warp, op.b), lanes_, op.bytes, host, base);
  }
}

/// What was there before, with what this SM has written since.
void LiveSource::load_with_pending(const Decoded& op, Warp& warp, LaneMask lanes, const std::byte* host,
                                   Addr base) {
  const Row to = out(op, warp);
  for_each_lane(lanes, [&](unsigned lane) {
    const std::byte* from = host + (addresses_[lane] - base);
    std::array<std::uint32_t, 4> words{};
    std::memcpy(words.data(), from, op.bytes);
    pending_->patch(words.data(), from, op.bytes);
    if (op.bytes < 4) words[0] = widened(words[0], op.bytes, op.sign_extends);
    for (unsigned word = 0; word < std::max(op.bytes / 4U, 1U); ++word)
      to[word * lanes_ + lane] = words[word];
  });
}

void LiveSource::access_shared(const Decoded& op, Warp& warp, LaneMask executed) {
  std::vector<std::byte>& shared = contexts_[warp.block_context].shared;
  const LaneShape& shape = place_in_window(op, warp, executed, shared.size());
  const LaneSpan& span = step_.span;
  if (op.action == ir::Action::Store) count_store(op, warp, executed, shared.data(), 0);
  if (span.consecutive && op.bytes == 4 && op.action != ir::Action::Atomic) {
    move_row(op, warp, executed, shared.data() + span.least);
  } else if (shape.loads_by_strips && op.action == ir::Action::Load) {
    const auto first = static_cast<std::uint32_t>(addresses_[first_lane(executed)]);
    load_strips(out(op, warp), shared.data(), first, shape, lanes_);
  } else {
    transfer(op, warp, executed, shared.data(), 0);
  }
}

/// A store that is about to act, in host memory of which `base` is the first address. While nobody watches,
/// it does not matter whether it changes anything.
[[gnu::noinline]] void LiveSource::count_store(const Decoded& op, const Warp& warp, LaneMask lanes,
                                               const std::byte* host, Addr base) {
  if (!is_watched_ || would_change(op, warp, lanes, host, base)) ++changes_;
}

[[gnu::noinline]] bool LiveSource::would_change(const Decoded& op, const Warp& warp, LaneMask lanes,
                                                const std::byte* host, Addr base) const {
  const std::uint32_t* rows = source(warp, op.b);
  const unsigned words = std::max(op.bytes / 4U, 1U);
  bool changes = false;
  for_each_lane(lanes, [&](unsigned lane) {
    const auto value = lane_words(rows, words, lane, lanes_);
    changes |= std::memcmp(host + (addresses_[lane] - base), value.data(), op.bytes) != 0;
  });
  return changes;
}

/// What the lanes add the offset of an address of 32 bits to.
const std::uint32_t* LiveSource::near_base(const Decoded& op, const Warp& warp) {
  const std::uint32_t* const lanes = source(warp, op.a);
  if (op.scale == 1 && op.near_uniform.rows == 0) return lanes;
  const std::uint32_t all = op.near_uniform.rows == 0 ? 0 : *source(warp, op.near_uniform);
  std::transform(lanes, lanes + lanes_, modified_[0].data(),
                 [&](std::uint32_t lane) { return lane * op.scale + all; });
  return modified_[0].data();
}

/// What they add that of an address of 64 bits to, the register or the pair of which is `rows`: two rows, the
/// low words' first.
const std::uint32_t* LiveSource::far_base(const Decoded& op, const Warp& warp, const SourceRows& rows) {
  const std::uint32_t* const own = source(warp, rows);
  const bool has_uniform = op.far_uniform.rows != 0;
  if (rows.rows == 2 && !has_uniform) return own;
  const Addr all = has_uniform ? wide_value(source(warp, op.far_uniform), 2, 0, lanes_) : 0;
  const Row base = modified_[1].data();  // a copy has its other address in the first
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const Addr sum = all + wide_value(own, rows.rows, lane, lanes_);
    base[lane] = static_cast<std::uint32_t>(sum);
    base[lanes_ + lane] = static_cast<std::uint32_t>(sum >> 32);
  }
  return base;
}

/// Where the lanes go in a window of so many bytes, the same for all of them or each lane's own. Returns the
/// shape in which they lie.
const LaneShape& LiveSource::place_in_window(const Decoded& op, const Warp& warp, LaneMask executed,
                                             Addr window_bytes) {
  LaneShape& shape = shape_of(op.a, executed);
  const LanePlaces places = place_near(near_base(op, warp), static_cast<std::uint32_t>(op.offset), executed,
                                       op.bytes, lanes_, addresses_.data(), shape);
  step_.span = places.span;
  step_.shape = places.shape;
  if (!places.aligned) fail_address(op, warp, executed, true);
  if (places.span.greatest + op.bytes > window_bytes) fail_address(op, warp, executed, false);
  return shape;
}

void LiveSource::access_local(const Decoded& op, Warp& warp, LaneMask executed) {
  const Addr thread_bytes = kernel_.launch().kernel.local_bytes;
  place_in_window(op, warp, executed, thread_bytes);
  for (unsigned i = 0; i < lanes_; ++i) addresses_[i] += i * thread_bytes;
  if (op.action == ir::Action::Store) count_store(op, warp, executed, warp.local.data(), 0);
  transfer(op, warp, executed, warp.local.data(), 0);

  const Addr window = local_window(warp);
  for (unsigned i = 0; i < lanes_; ++i)
    addresses_[i] = window + local_place(addresses_[i] - i * thread_bytes, op.bytes, i, lanes_);
  step_.span = span_of(addresses_.data(), executed, op.bytes);
}

/// Where the local memory of the warp's slot begins, at a multiple of every line's size.
Addr LiveSource::local_window(const Warp& warp) const {
  const std::uint64_t slot = first_slot_ + static_cast<std::uint64_t>(&warp - warps_.data());
  return kLocalMemory + slot * round_up(Addr{kernel_.launch().kernel.local_bytes} * lanes_, 1024);
}

/// Does what the instruction does between the lanes' registers and host memory, of which `base` is the first
/// address.
void LiveSource::transfer(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base) {
  if (op.action == ir::Action::Atomic) {
    update(op, warp, lanes, host, base);
  } else if (op.bytes < 4) {
    move_narrow(op, warp, lanes, host, base);
  } else {
    move_data(op, warp, lanes, host, base);
  }
}

void LiveSource::update(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base) {
  WarpAtomic atomic = warp_atomic(op, warp, lanes);
  if (atomic.old == nullptr) atomic.old = lost_.data();
  if (apply(atomic, host, base)) ++changes_;
  if (!op.writes_predicates) return;
  LaneMask holds = 0;
  for_each_lane(lanes, [&](unsigned lane) { holds |= LaneMask{atomic.old[lane]} << lane; });
  warp.set_predicate(op.out_predicate[0], holds, lanes);
}

/// Without `old` if nobody wants it.
WarpAtomic LiveSource::warp_atomic(const Decoded& op, Warp& warp, LaneMask lanes) {
  WarpAtomic atomic;
  atomic.function = op.atomic;
  atomic.bytes = op.bytes;
  atomic.lanes = lanes;
  atomic.addresses = addresses_.data();
  atomic.a = source(warp, op.b);
  atomic.b = source(warp, op.c);
  atomic.old = op.out_rows == 0 || op.out_is_lost ? nullptr : out(op, warp);
  atomic.tells_success = op.tells_success;
  atomic.lanes_per_row = lanes_;
  return atomic;
}

/// Moves each lane's 8 or 16 bits.
void LiveSource::move_narrow(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host, Addr base) {
  if (op.action == ir::Action::Load) {
    const Row to = out(op, warp);
    for_each_lane(executed, [&](unsigned lane) {
      std::uint32_t word = 0;
      std::memcpy(&word, host + (addresses_[lane] - base), op.bytes);
      to[lane] = widened(word, op.bytes, op.sign_extends);
    });
    return;
  }
  const std::uint32_t* data = source(warp, op.b);
  for_each_lane(executed,
                [&](unsigned lane) { std::memcpy(host + (addresses_[lane] - base), &data[lane], op.bytes); });
}

/// Moves one word for each of neighbouring lanes, from or to neighbouring words at `host`.
void LiveSource::move_row(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host) {
  const std::size_t bytes = 4 * lane_count(executed);
  if (op.action == ir::Action::Load) {
    std::memcpy(out(op, warp) + first_lane(executed), host, bytes);
  } else {
    std::memcpy(host, source(warp, op.b) + first_lane(executed), bytes);
  }
}

/// Moves each lane's words between its registers and host memory, of which `base` is the first address.
void LiveSource::move_data(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host, Addr base) {
  const unsigned words = op.bytes / 4;
  const bool is_load = op.action == ir::Action::Load;
  if (is_load && executed == first_lanes(lanes_)) {
    return gather(out(op, warp), words, host, base, addresses_.data(), lanes_);
  }
  const auto each_word = [&](auto move) {
    for_each_lane(executed, [&](unsigned lane) {
      std::byte* at = host + (addresses_[lane] - base);
      for (unsigned word = 0; word < words; ++word) move(word * lanes_ + lane, at + std::size_t{4} * word);
    });
  };
  if (is_load) {
    const Row to = out(op, warp);
    each_word([to](unsigned place, const std::byte* from) { std::memcpy(to + place, from, 4); });
  } else {
    const std::uint32_t* data = source(warp, op.b);
    each_word([data](unsigned place, std::byte* to) { std::memcpy(to, data + place, 4); });
  }
}

void LiveSource::fail_address(const Decoded& op, const Warp& warp, LaneMask executed,
                              bool bad_alignment) const {
  const bool is_global = op.space == stream::MemorySpace::Global;
  const bool is_local = op.space == stream::MemorySpace::Local;
  const std::uint64_t own_bytes =
      is_local ? kernel_.launch().kernel.local_bytes : contexts_[warp.block_context].shared.size();
  const auto is_bad = [&](Addr address) {
    if (bad_alignment) return address % op.bytes != 0;
    if (!is_global) return address + op.bytes > own_bytes;
    return kernel_.memory().buffer_at(address, op.bytes) == nullptr;
  };
  unsigned lane = first_lane(executed);
  for_each_lane(executed, [&](unsigned candidate) {
    if (!is_bad(addresses_[lane]) && is_bad(addresses_[candidate])) lane = candidate;
  });
  const char* verb = op.action == ir::Action::Atomic  ? "atomic"
                     : op.action == ir::Action::Store ? "store"
                                                      : "load";
  if (bad_alignment) {
    fail(warp, stream::FaultKind::Misaligned,
         fmt::format("misaligned {} of {} bytes at {:#x} in lane {}", verb, op.bytes, addresses_[lane], lane),
         lane, addresses_[lane]);
  }
  if (is_global && kernel_.memory().freed_at(addresses_[lane]) != nullptr) {
    fail(warp, stream::FaultKind::UseAfterFree,
         fmt::format("use after free: {} of {} bytes at {:#x} in lane {}: {}", verb, op.bytes,
                     addresses_[lane], lane, freed_buffer(addresses_[lane])),
         lane, addresses_[lane]);
  }
  const std::string limit = is_global  ? nearest_buffer(addresses_[lane])
                            : is_local ? fmt::format("the thread has {} bytes of local memory", own_bytes)
                                       : fmt::format("the block has {} bytes of shared memory", own_bytes);
  fail(warp, stream::FaultKind::OutOfBounds,
       fmt::format("out-of-bounds {} of {} bytes at {:#x} in lane {}: {}", verb, op.bytes, addresses_[lane],
                   lane, limit),
       lane, addresses_[lane]);
}

/// Says where an address lies in the buffer that has been freed there.
std::string LiveSource::freed_buffer(Addr address) const {
  const GlobalMemory::Freed& freed = *kernel_.memory().freed_at(address);
  return fmt::format("byte {} of buffer '{}', which had {} and has been freed",
                     address - freed.buffer->address(), freed.buffer->name(), freed.bytes);
}

/// Says where an address lies relative to the buffer before it, which it most likely overran.
std::string LiveSource::nearest_buffer(Addr address) const {
  const Buffer* before = nullptr;
  for (const auto& buffer : kernel_.memory().buffers()) {
    if (buffer->address() <= address) before = buffer.get();
  }
  if (before == nullptr) return "no buffer lies there";
  return fmt::format("byte {} of buffer '{}', which has {}", address - before->address(), before->name(),
                     before->size());
}

}  // namespace heddle::exec
