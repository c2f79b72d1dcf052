// Rows of bytes that bulk copies move between global and shared memory.
#pragma once

#include <cstdint>

#include "isa/exec/addressing.h"
#include "isa/exec/decode.h"
#include "isa/exec/memory_instructions.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// Bytes that lie side by side in global memory and, but for the swizzle, in shared memory.
struct BulkRow {
  Addr global = 0;
  Addr shared = 0;
  std::uint64_t bytes = 0;
  /// Shared memory has chunk c of 16 bytes of each 128 where chunk c ^ r would lie, r being the number of that 128 modulo 8,
  /// of lower bits where fewer chunks change places: 32, 64 or 128 bytes of them; 0: none do.
  std::uint32_t swizzle = 0;

  /// Where in shared memory a byte lies that would lie there without a swizzle.
  [[nodiscard]] Addr place(Addr plain) const {
    constexpr Addr kChunk = 16;
    const Addr chunks = swizzle / kChunk;
    return chunks == 0 ? plain : plain ^ (plain >> 7 & (chunks - 1)) * kChunk;
  }
};

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
  /// Throws KernelFault if the address of this side of the copy is no multiple of so many bytes.
  void require_alignment(const Decoded& op, Warp& warp, stream::MemorySpace space, Addr address, unsigned bytes);

 private:
  [[nodiscard]] std::byte* shared_piece(const Decoded& op, Warp& warp, Addr address, unsigned bytes);

  WarpMachine& machine_;
  Addressing& addressing_;
  MemoryInstructions& memory_;
};

}  // namespace heddle::exec
