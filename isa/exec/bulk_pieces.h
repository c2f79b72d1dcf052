// Rows of bytes that bulk copies move between global and shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/exec/addressing.h"
#include "isa/exec/decode.h"
#include "isa/exec/memory_instructions.h"
#include "isa/exec/shared_swizzle.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// Bytes that lie side by side in global memory and, but for the swizzle, in shared memory.
struct BulkRow {
  Addr global = 0;
  Addr shared = 0;
  std::uint64_t bytes = 0;
  std::uint32_t swizzle = 0;  ///< 32, 64 or 128 bytes within which chunks change places in shared memory; 0: none do.

  /// Where in shared memory a byte lies that would lie there without a swizzle.
  [[nodiscard]] Addr place(Addr plain) const {
    return swizzle == 0 ? plain : swizzled(plain, Addr{swizzle} / kChunkBytes);
  }
};

/// Whether the copy goes to shared memory.
inline bool is_load(const Decoded& op) { return op.action == ir::Action::BulkLoad; }

/// Moves rows, in pieces of up to 16 bytes as one lane would. Throws KernelFault where memory ends.
class BulkPieces {
 public:
  BulkPieces(WarpMachine& machine, Addressing& addressing, MemoryInstructions& memory)
      : machine_(machine), addressing_(addressing), memory_(memory) {}

  void load(const Decoded& op, Warp& warp, const BulkRow& row);
  void store(const Decoded& op, Warp& warp, const BulkRow& row);
  /// Combines elements of so many bytes with those in global memory.
  void reduce(const Decoded& op, Warp& warp, const BulkRow& row, AtomicFunction function, unsigned bytes);
  /// Zeros in shared memory.
  void clear(const Decoded& op, Warp& warp, const BulkRow& row);
  /// Reads global memory that goes nowhere else; the address is a multiple of 16.
  void read(const Decoded& op, Warp& warp, Addr from, std::span<std::byte> to);
  /// Throws KernelFault if so many bytes from there on do not lie in the block's shared memory.
  void require_room(const Decoded& op, Warp& warp, Addr shared, std::uint64_t bytes);
  /// Throws KernelFault if the address of this side of the copy is no multiple of so many bytes.
  void require_alignment(const Decoded& op, Warp& warp, stream::MemorySpace space, Addr address, unsigned bytes);

 private:
  [[nodiscard]] std::byte* shared_piece(const Decoded& op, Warp& warp, Addr address, unsigned bytes);

  WarpMachine& machine_;
  Addressing& addressing_;
  MemoryInstructions& memory_;
};

}  // namespace heddle::exec
