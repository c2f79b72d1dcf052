#include "isa/exec/bulk_pieces.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle::exec {

namespace {

constexpr unsigned kMostInPiece = 16;
constexpr LaneMask kFirst = 1;

/// As many bytes as all pieces of the row can have, whose addresses are multiples of them.
unsigned piece_bytes(const BulkRow& row) {
  const int zeros = std::countr_zero(row.global | row.shared | row.bytes | kMostInPiece);
  return 1U << zeros;
}

/// One side of the copy, a piece at a time. A lane alone makes it, the first one.
Decoded as_piece(const Decoded& op, ir::Action action, stream::MemorySpace space, unsigned bytes) {
  Decoded access = as_access(op, action, space);
  access.bytes = static_cast<std::uint8_t>(bytes);
  return access;
}

/// What the copy does to shared memory.
ir::Action shared_action(const Decoded& op) { return is_load(op) ? ir::Action::Store : ir::Action::Load; }

}  // namespace

std::byte* BulkPieces::shared_piece(const Decoded& op, Warp& warp, Addr address, unsigned bytes) {
  require_room(op, warp, address, bytes);
  return machine_.shared(warp).data() + address;
}

void BulkPieces::require_room(const Decoded& op, Warp& warp, Addr shared, std::uint64_t bytes) {
  const std::uint64_t size = machine_.shared(warp).size();
  if (shared <= size && bytes <= size - shared) return;
  machine_.addresses[0] = std::max<Addr>(shared, size);
  addressing_.fail_address(as_piece(op, shared_action(op), stream::MemorySpace::Shared, kMostInPiece), warp, kFirst, false);
}

void BulkPieces::read(const Decoded& op, Warp& warp, Addr from, std::span<std::byte> to) {
  const Decoded access = as_piece(op, ir::Action::Load, stream::MemorySpace::Global, kMostInPiece);
  for (std::size_t at = 0; at < to.size(); at += kMostInPiece) memory_.load_piece(access, warp, from + at, to.data() + at);
}

void BulkPieces::require_alignment(const Decoded& op, Warp& warp, stream::MemorySpace space, Addr address,
                                   unsigned bytes) {
  if (address % bytes == 0) return;
  const bool is_shared = space == stream::MemorySpace::Shared;
  const ir::Action global_action = is_load(op) ? ir::Action::Load : ir::Action::Store;
  machine_.addresses[0] = address;
  addressing_.fail_address(as_piece(op, is_shared ? shared_action(op) : global_action, space, bytes), warp, kFirst, true);
}

void BulkPieces::load(const Decoded& op, Warp& warp, const BulkRow& row) {
  const unsigned bytes = piece_bytes(row);
  const Decoded access = as_piece(op, ir::Action::Load, stream::MemorySpace::Global, bytes);
  for (std::uint64_t at = 0; at < row.bytes; at += bytes)
    memory_.load_piece(access, warp, row.global + at, shared_piece(op, warp, row.place(row.shared + at), bytes));
}

void BulkPieces::store(const Decoded& op, Warp& warp, const BulkRow& row) {
  const unsigned bytes = piece_bytes(row);
  const Decoded access = as_piece(op, ir::Action::Store, stream::MemorySpace::Global, bytes);
  for (std::uint64_t at = 0; at < row.bytes; at += bytes)
    memory_.store_piece(access, warp, row.global + at, shared_piece(op, warp, row.place(row.shared + at), bytes));
}

void BulkPieces::reduce(const Decoded& op, Warp& warp, const BulkRow& row, AtomicFunction function, unsigned bytes) {
  Decoded access = as_piece(op, ir::Action::Atomic, stream::MemorySpace::Global, bytes);
  access.atomic = function;
  for (std::uint64_t at = 0; at < row.bytes; at += bytes)
    memory_.update_piece(access, warp, row.global + at, shared_piece(op, warp, row.place(row.shared + at), bytes));
}

void BulkPieces::clear(const Decoded& op, Warp& warp, const BulkRow& row) {
  const unsigned bytes = piece_bytes(row);
  for (std::uint64_t at = 0; at < row.bytes; at += bytes)
    std::memset(shared_piece(op, warp, row.place(row.shared + at), bytes), 0, bytes);
}

}  // namespace heddle::exec
