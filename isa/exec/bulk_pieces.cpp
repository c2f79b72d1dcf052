#include "isa/exec/bulk_pieces.h"

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

bool is_load(const Decoded& op) { return op.action == ir::Action::BulkLoad; }

/// What the copy does to shared memory.
ir::Action shared_action(const Decoded& op) { return is_load(op) ? ir::Action::Store : ir::Action::Load; }

}  // namespace

std::byte* BulkPieces::shared_piece(const Decoded& op, Warp& warp, Addr address, unsigned bytes) {
  std::vector<std::byte>& shared = machine_.shared(warp);
  if (address <= shared.size() && bytes <= shared.size() - address) return shared.data() + address;
  machine_.addresses[0] = address;
  addressing_.fail_address(as_piece(op, shared_action(op), stream::MemorySpace::Shared, bytes), warp, kFirst, false);
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
