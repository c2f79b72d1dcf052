#include "isa/exec/bulk_instructions.h"

#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

constexpr std::uint8_t kPiece = 16;  // bytes

/// One side of the copy, a piece at a time. A lane alone makes it, the first one.
Decoded as_piece(const Decoded& op, ir::Action action, stream::MemorySpace space) {
  Decoded access = as_access(op, action, space);
  access.bytes = kPiece;
  return access;
}

constexpr LaneMask kFirst = 1;

/// The low half of the register counts pieces; the high one would say to which blocks of a cluster they go.
std::uint64_t copied_bytes(std::uint32_t size) { return std::uint64_t{size & 0xffff} * kPiece; }

}  // namespace

std::uint32_t BulkInstructions::word(const Warp& warp, const SourceRows& rows, unsigned which) const {
  return machine_.source(warp, rows)[which * machine_.lanes];
}

Addr BulkInstructions::address(const Warp& warp, const SourceRows& rows) const {
  return wide_value(machine_.source(warp, rows), 2, 0, machine_.lanes);
}

/// What the copy is in time.
void BulkInstructions::tell(Addr global, std::uint64_t bytes) {
  step_ = {};
  step_.action = stream::AsyncStep::Action::Copy;
  step_.addresses = {global};
  step_.piece_bytes = static_cast<std::uint32_t>(bytes);
  step_.bytes = bytes;
  machine_.step.async = &step_;
}

void BulkInstructions::copy(const Decoded& op, Warp& warp, LaneMask executed) {
  ++machine_.changes;
  op.action == ir::Action::BulkLoad ? load(op, warp, executed) : store(op, warp);
}

std::byte* BulkInstructions::shared_piece(const Decoded& op, const Warp& warp, Addr address) {
  const bool is_load = op.action == ir::Action::BulkLoad;
  std::vector<std::byte>& shared = machine_.shared(warp);
  const bool is_aligned = address % kPiece == 0;
  if (is_aligned && address + kPiece <= shared.size()) return shared.data() + address;
  machine_.addresses[0] = address;
  addressing_.fail_address(
      as_piece(op, is_load ? ir::Action::Store : ir::Action::Load, stream::MemorySpace::Shared), warp, kFirst,
      !is_aligned);
}

void BulkInstructions::load(const Decoded& op, Warp& warp, LaneMask executed) {
  const Decoded access = as_piece(op, ir::Action::Load, stream::MemorySpace::Global);
  const std::uint64_t bytes = copied_bytes(word(warp, op.c));
  const Addr to = word(warp, op.a);
  const std::uint32_t barrier = word(warp, op.a, 1);
  const Addr from = address(warp, op.b);
  for (std::uint64_t at = 0; at < bytes; at += kPiece)
    memory_.load_piece(access, warp, from + at, shared_piece(op, warp, to + at));
  tell(from, bytes);
  mbarriers_.receive(op, warp, executed, barrier, bytes);
  step_.uses = {{barrier}};
}

void BulkInstructions::store(const Decoded& op, Warp& warp) {
  const Decoded access = as_piece(op, ir::Action::Store, stream::MemorySpace::Global);
  const std::uint64_t bytes = copied_bytes(word(warp, op.c));
  const Addr to = address(warp, op.a);
  const Addr from = word(warp, op.b);
  for (std::uint64_t at = 0; at < bytes; at += kPiece)
    memory_.store_piece(access, warp, to + at, shared_piece(op, warp, from + at));
  tell(to, bytes);
}

}  // namespace heddle::exec
