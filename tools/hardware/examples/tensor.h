// The tensor-core instructions of the twins, for the GPU and for the emulator.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/hardware/kit/cuda_or_cpu.h"

namespace kit {

/// A half-precision number. The kernels only move them; the tensor cores multiply them.
using Half = std::uint16_t;

/// Converts a small whole number exactly.
inline Half half_of(int value) {
  if (value == 0) return 0;
  const unsigned magnitude = static_cast<unsigned>(value < 0 ? -value : value);
  unsigned exponent = 0;
  while (magnitude >> (exponent + 1) != 0) ++exponent;
  const unsigned fraction = (magnitude << (10 - exponent)) & 1023;
  return static_cast<Half>((value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction);
}

/// Converts a normal number or zero.
inline float float_of(Half half) {
  const int exponent = (half >> 10) & 31;
  if (exponent == 0) return 0;
  float value = static_cast<float>(1024 + (half & 1023)) / 1024;
  for (int e = 15; e < exponent; ++e) value *= 2;
  for (int e = exponent; e < 15; ++e) value /= 2;
  return (half & 0x8000) != 0 ? -value : value;
}

#ifdef __CUDACC__

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Loads four 8 x 8 matrices. Lane l names row l % 8 of matrix l / 8.
template <bool kTransposed>
__device__ __forceinline__ void load_matrices(unsigned (&to)[4], const Half* row) {
#if __CUDA_ARCH__ >= 750
  if (kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(row)));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(row)));
#endif
}

/// sum += A B, with A of 16 x 16 and B of 16 x 8.
__device__ __forceinline__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned* b) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// Copies 16 bytes from global to shared memory. The copy bypasses registers and L1.
__device__ __forceinline__ void copy_async(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
#endif
}

__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until all but the last kLeft groups of copies have arrived.
template <int kLeft>
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
#endif
}

#else

template <bool kTransposed>
void load_matrices(unsigned (&to)[4], const Half* row) {
  const unsigned l = lane();
  const Half* const* rows = all_lanes(row);
  for (unsigned matrix = 0; matrix < 4; ++matrix) {
    Half pair[2];
    for (unsigned i = 0; i < 2; ++i)
      pair[i] =
          kTransposed ? rows[8 * matrix + 2 * (l % 4) + i][l / 4] : rows[8 * matrix + l / 4][2 * (l % 4) + i];
    to[matrix] = pair[0] | static_cast<unsigned>(pair[1]) << 16;
  }
}

inline void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned* b) {
  struct Operands {
    unsigned a[4], b[2];
  };
  const Operands* lanes = all_lanes(Operands{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}});
  const unsigned l = lane();
  for (unsigned c = 0; c < 4; ++c) {
    const unsigned row = l / 4 + 8 * (c / 2), column = 2 * (l % 4) + c % 2;
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned from_a = lanes[row % 8 * 4 + k % 8 / 2].a[row / 8 + 2 * (k / 8)];
      const unsigned from_b = lanes[column * 4 + k % 8 / 2].b[k / 8];
      sum[c] += float_of(static_cast<Half>(from_a >> 16 * (k % 2))) *
                float_of(static_cast<Half>(from_b >> 16 * (k % 2)));
    }
  }
}

inline void copy_async(void* to, const void* from) { std::memcpy(to, from, 16); }
inline void commit_copies() {}
template <int kLeft>
void wait_for_copies() {}

#endif

}  // namespace kit
