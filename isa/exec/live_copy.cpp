// Asynchronous copies of LiveSource, from global to shared memory.
#include <cstring>

#include "isa/exec/lane_places.h"
#include "isa/exec/live_source.h"

namespace heddle::exec {

namespace {

/// One side of the copy, as an access of its own: what messages speak of.
Decoded as_access(const Decoded& op, ir::Action action, stream::MemorySpace space) {
  Decoded access = op;
  access.action = action;
  access.space = space;
  return access;
}

}  // namespace

void LiveSource::copy_to_shared(const Decoded& op, Warp& warp, LaneMask executed) {
  ++changes_;
  place_near(near_base(op, warp), static_cast<std::uint32_t>(op.shared_offset), executed, op.bytes, lanes_,
             shared_addresses_.data(), shape_of(op.a, executed));
  step_.span = place_far(far_base(op, warp, op.b), static_cast<Addr>(op.offset), executed, op.bytes, lanes_,
                         addresses_.data())
                   .span;
  for_each_lane(executed, [&](unsigned lane) {
    std::byte* shared = shared_place(op, warp, executed, lane);
    const std::byte* global = global_place(op, warp, executed, lane);
    std::memcpy(shared, global, op.bytes);
    if (pending_ != nullptr && pending_->may_hold(global, global + op.bytes - 1)) {
      pending_->patch(shared, global, op.bytes);
    }
  });
}

std::byte* LiveSource::shared_place(const Decoded& op, Warp& warp, LaneMask executed, unsigned lane) {
  const Addr address = shared_addresses_[lane];
  std::vector<std::byte>& shared = contexts_[warp.block_context].shared;
  const bool is_aligned = address % op.bytes == 0;
  if (is_aligned && address + op.bytes <= shared.size()) return shared.data() + address;
  addresses_ = shared_addresses_;
  fail_address(as_access(op, ir::Action::Store, stream::MemorySpace::Shared), warp, executed, !is_aligned);
}

const std::byte* LiveSource::global_place(const Decoded& op, const Warp& warp, LaneMask executed,
                                          unsigned lane) {
  const Addr address = addresses_[lane];
  const bool is_aligned = address % op.bytes == 0;
  const Buffer* buffer = buffer_at(address, op.bytes);
  if (is_aligned && buffer != nullptr) return buffer->bytes().data() + (address - buffer->address());
  fail_address(as_access(op, ir::Action::Load, stream::MemorySpace::Global), warp, executed, !is_aligned);
}

}  // namespace heddle::exec
