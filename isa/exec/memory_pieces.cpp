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
    std::memcpy(words.data(), from, sizeof words);
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

}  // namespace heddle::exec
