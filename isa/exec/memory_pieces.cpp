// Pieces of global memory that a copy moves and no register holds.
#include <array>
#include <cstring>

#include "isa/exec/memory_instructions.h"

namespace heddle::exec {

namespace {

constexpr LaneMask kFirst = 1;

}  // namespace

const Buffer& MemoryInstructions::buffer_of_piece(const Decoded& op, const Warp& warp, Addr address) {
  machine_.addresses[0] = address;
  const bool is_aligned = address % op.bytes == 0;
  const Buffer* buffer = addressing_.buffer_at(address, op.bytes);
  if (is_aligned && buffer == nullptr) buffer = addressing_.forgiven_buffer(op, warp, address);
  if (!is_aligned || buffer == nullptr) addressing_.fail_address(op, warp, kFirst, !is_aligned);
  return *buffer;
}

void MemoryInstructions::load_piece(const Decoded& op, const Warp& warp, Addr from, std::byte* to) {
  const Buffer& buffer = buffer_of_piece(op, warp, from);
  const std::byte* const host = buffer.bytes().data() + (from - buffer.address());
  if (watch_ != nullptr) watch_->access_global(watched(op, warp, kFirst), buffer);
  if (transaction_ != nullptr) {
    transaction_->read(kFirst, machine_.addresses.data(), {from, from, false}, op.bytes, buffer.bytes().data(),
                       buffer.address());
  }
  std::memcpy(to, host, op.bytes);
  if (pending_ != nullptr && pending_->may_hold(host, host + op.bytes - 1)) pending_->patch(to, host, op.bytes);
}

void MemoryInstructions::store_piece(const Decoded& op, const Warp& warp, Addr to, const std::byte* from) {
  const Buffer& buffer = buffer_of_piece(op, warp, to);
  std::byte* const host = buffer.bytes().data() + (to - buffer.address());
  if (watch_ != nullptr) {
    std::array<std::uint32_t, 4> words{};
    std::memcpy(words.data(), from, op.bytes);
    WatchedAccess access = watched(op, warp, kFirst);
    access.data = words.data();
    access.lanes_per_row = 1;
    watch_->access_global(access, buffer);
  }
  if (transaction_ != nullptr)
    transaction_->write(kFirst, machine_.addresses.data(), {to, to, false}, op.bytes, buffer);
  if (pending_ != nullptr) return pending_->store(machine_.now, host, from, op.bytes);
  std::memcpy(host, from, op.bytes);
}

void MemoryInstructions::update_piece(const Decoded& op, const Warp& warp, Addr to, const std::byte* from) {
  const Buffer& buffer = buffer_of_piece(op, warp, to);
  if (watch_ != nullptr) watch_->access_global(watched(op, warp, kFirst), buffer);
  std::array<std::uint32_t, 2 * kMaxWarpSize> operand{};
  std::uint64_t value = 0;
  std::memcpy(&value, from, op.bytes);
  operand[0] = static_cast<std::uint32_t>(value);
  operand[lanes_] = static_cast<std::uint32_t>(value >> 32);
  WarpAtomic atomic;
  atomic.function = op.atomic;
  atomic.bytes = op.bytes;
  atomic.lanes = kFirst;
  atomic.addresses = machine_.addresses.data();
  atomic.a = atomic.b = operand.data();
  atomic.lanes_per_row = lanes_;
  std::byte* const host = buffer.bytes().data();
  if (transaction_ != nullptr) return transaction_->update(atomic, host, buffer.address());
  if (pending_ != nullptr) return pending_->update(machine_.now, atomic, host, buffer.address());
  atomic.old = machine_.lost.data();
  apply(atomic, host, buffer.address());
}

}  // namespace heddle::exec
