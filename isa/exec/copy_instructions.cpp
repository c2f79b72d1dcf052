#include "isa/exec/copy_instructions.h"

#include <cstring>

#include "isa/exec/lane_places.h"

namespace heddle::exec {

void CopyInstructions::copy_to_shared(const Decoded& op, Warp& warp, LaneMask executed) {
  ++machine_.changes;
  place_near(addressing_.near_base(op, warp), static_cast<std::uint32_t>(op.shared_offset), executed,
             op.bytes, machine_.lanes, machine_.shared_addresses.data(),
             addressing_.shape_of(op.a, executed));
  machine_.step.span = place_far(addressing_.far_base(op, warp, op.b), static_cast<Addr>(op.offset), executed,
                                 op.bytes, machine_.lanes, machine_.addresses.data())
                           .span;
  for_each_lane(executed, [&](unsigned lane) {
    std::byte* shared = shared_place(op, warp, executed, lane);
    const std::byte* global = global_place(op, warp, executed, lane);
    std::memcpy(shared, global, op.bytes);
    if (machine_.pending != nullptr && machine_.pending->may_hold(global, global + op.bytes - 1)) {
      machine_.pending->patch(shared, global, op.bytes);
    }
  });
}

std::byte* CopyInstructions::shared_place(const Decoded& op, const Warp& warp, LaneMask executed,
                                          unsigned lane) {
  const Addr address = machine_.shared_addresses[lane];
  std::vector<std::byte>& shared = machine_.shared(warp);
  const bool is_aligned = address % op.bytes == 0;
  if (is_aligned && address + op.bytes <= shared.size()) return shared.data() + address;
  machine_.addresses = machine_.shared_addresses;
  addressing_.fail_address(as_access(op, ir::Action::Store, stream::MemorySpace::Shared), warp, executed,
                           !is_aligned);
}

const std::byte* CopyInstructions::global_place(const Decoded& op, const Warp& warp, LaneMask executed,
                                                unsigned lane) {
  const Addr address = machine_.addresses[lane];
  const bool is_aligned = address % op.bytes == 0;
  const Buffer* buffer = addressing_.buffer_at(address, op.bytes);
  if (is_aligned && buffer == nullptr) buffer = addressing_.forgiven_buffer(op, warp, address);
  if (is_aligned && buffer != nullptr) {
    if (machine_.transaction != nullptr) {
      machine_.transaction->read(LaneMask{1} << lane, machine_.addresses.data(), {address, address, false}, op.bytes,
                                 buffer->bytes().data(), buffer->address());
    }
    return buffer->bytes().data() + (address - buffer->address());
  }
  addressing_.fail_address(as_access(op, ir::Action::Load, stream::MemorySpace::Global), warp, executed,
                           !is_aligned);
}

}  // namespace heddle::exec
