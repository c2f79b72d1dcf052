// A matrix in shared memory as the tensor cores of compute capability 9.0 read it: 16-bit elements, found by
// a matrix descriptor.
//
// A descriptor's 64 bits: start address / 16 in bits 0 to 13, leading byte offset / 16 in 16 to 29, stride
// byte offset / 16 in 32 to 45, base offset in 49 to 51, swizzle in 62 and 63: 0 none, 1 of 128 bytes, 2 of
// 64, 3 of 32.
//
// Elements come in chunks of 8 (16 bytes) along the major dimension, K unless the matrix is transposed.
// Without swizzle, 8 chunks side by side make a core matrix of 128 bytes; with it, 8 lines of as many bytes
// as the swizzle has make an atom, within which chunk c of line r lies where chunk c ^ r would (with 64 bytes
// c ^ r / 2, with 32 c ^ r / 4: bits 7 and up of the address turn bits 4 and up over). Offsets go from one of
// these to the next:
//
//                     leading byte offset            stride byte offset
//   K, none           to the next 8 of K             to the next 8 of M or N
//   K, swizzled       not used                       to the next 8 of M or N
//   M or N, none      to the next 8 of K             to the next 8 of M or N
//   M or N, swizzled  to the next atom in M or N     to the next 8 of K
//
// Sources: PTX ISA, asynchronous warpgroup-level matrix instructions, matrix descriptor and shared memory
// layouts; canonical layouts of CUTLASS (cute/arch/mma_sm90_desc.hpp). A base offset, which an atom needs
// that does not begin at a multiple of its bytes, is not modelled.
#pragma once

#include <cstdint>

#include "isa/exec/shared_swizzle.h"

namespace heddle::exec {

/// One operand of a warpgroup's product in shared memory, as its 64-bit matrix descriptor describes it. It
/// only computes addresses; the bytes belong to the block's shared memory.
class SharedMatrix {
 public:
  SharedMatrix(std::uint64_t descriptor, bool is_transposed);

  [[nodiscard]] bool has_base_offset() const { return has_base_offset_; }

  /// The address of a 2-byte element in shared memory. `line` is a row of A or a column of B; `k`, below 16,
  /// is the element's place in that line.
  [[nodiscard]] std::uint32_t address(unsigned line, unsigned k) const {
    const unsigned major = is_transposed_ ? line : k;
    const unsigned minor = is_transposed_ ? k : line;
    const unsigned chunk = major / 8;
    const std::uint32_t plain = start_ + chunk / chunks_ * major_step_ + chunk % chunks_ * kChunkBytes +
                                minor / 8 * minor_step_ + minor % 8 * chunks_ * kChunkBytes + major % 8 * 2;
    return swizzled(plain, chunks_);
  }

 private:
  std::uint32_t start_;
  std::uint32_t major_step_;  // from one line of chunks to the next
  std::uint32_t minor_step_;  // from 8 lines to the next
  std::uint32_t chunks_;      // in a line
  bool is_transposed_;
  bool has_base_offset_;
};

}  // namespace heddle::exec
