// The addresses of a memory instruction's lanes, and the faults of those that are bad.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "isa/exec/decode.h"
#include "isa/exec/lane_places.h"
#include "isa/exec/memory.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// Computes addresses from registers, uniform registers and offsets, and finds the buffers that hold them.
/// Remembers what recent accesses had, because the next ones mostly have it again.
class Addressing {
 public:
  explicit Addressing(WarpMachine& machine) : machine_(machine) {}

  /// The rows to which the offset of a 32-bit address is added.
  const std::uint32_t* near_base(const Decoded& op, const Warp& warp);
  /// The rows to which the offset of a 64-bit address is added, whose register or pair is `rows`: the low
  /// words, then the high words.
  const std::uint32_t* far_base(const Decoded& op, const Warp& warp, const SourceRows& rows);

  /// Sets the addresses and the span of an access to a window of so many bytes, the same for all lanes or
  /// each lane's own. Returns the shape in which the lanes lie. Throws KernelFault.
  const LaneShape& place_in_window(const Decoded& op, const Warp& warp, LaneMask executed, Addr window_bytes);

  /// The buffer that holds so many bytes from `address` on; null if none does.
  [[nodiscard]] const Buffer* buffer_at(Addr address, Addr bytes) {
    if (last_buffer_ == nullptr || !last_buffer_->holds(address, bytes)) {
      last_buffer_ = machine_.kernel.memory().buffer_at(address, bytes);
    }
    return last_buffer_;
  }
  /// The shape that the addresses in these registers had last, for so many lanes.
  [[nodiscard]] LaneShape& shape_of(const SourceRows& rows, LaneMask executed) {
    const std::uint32_t row = rows.offset >> std::countr_zero(machine_.lanes);
    return shapes_[(row + lane_count(executed)) % kLaneShapes];
  }

  /// The buffer beyond whose end these bytes lie where a GPU lets it pass, and the launch forgives it, which is noted;
  /// otherwise null.
  [[nodiscard, gnu::cold]] const Buffer* forgiven_buffer(const Decoded& op, const Warp& warp, Addr address) const;

  /// Throws the KernelFault of the lowest lane whose address is bad: misaligned, or out of bounds.
  [[noreturn, gnu::cold]] void fail_address(const Decoded& op, const Warp& warp, LaneMask executed,
                                            bool bad_alignment) const;

 private:
  /// The buffer that an access there may use: of a launch that forgives, beyond its end, too.
  [[nodiscard]] const Buffer* usable_buffer(Addr address, Addr bytes) const;
  [[nodiscard]] std::string nearest_buffer(Addr address) const;
  [[nodiscard]] std::string freed_buffer(Addr address) const;

  WarpMachine& machine_;
  const Buffer* last_buffer_ = nullptr;  // where the last access fell: most fall there again
  std::array<LaneShape, kLaneShapes> shapes_ = numbered_shapes();
};

/// One side of a copy as an access of its own: what messages speak of.
Decoded as_access(const Decoded& op, ir::Action action, stream::MemorySpace space);

}  // namespace heddle::exec
