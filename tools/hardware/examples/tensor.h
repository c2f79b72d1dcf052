// Numbers of half precision, and the tensor-core instructions of traces/tensor_cores.cuh for the emulator.
#pragma once

#include <cstring>

#include "tools/hardware/kit/cuda_or_cpu.h"

using Half = unsigned short;

namespace kit {

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

}  // namespace kit

#ifndef __CUDACC__

template <bool kTransposed>
void load_matrices(unsigned (&to)[4], const Half* row) {
  const unsigned l = kit::lane();
  const Half* const* rows = kit::all_lanes(row);
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
  const Operands* lanes = kit::all_lanes(Operands{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}});
  const unsigned l = kit::lane();
  for (unsigned c = 0; c < 4; ++c) {
    const unsigned row = l / 4 + 8 * (c / 2), column = 2 * (l % 4) + c % 2;
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned from_a = lanes[row % 8 * 4 + k % 8 / 2].a[row / 8 + 2 * (k / 8)];
      const unsigned from_b = lanes[column * 4 + k % 8 / 2].b[k / 8];
      sum[c] += kit::float_of(static_cast<Half>(from_a >> 16 * (k % 2))) *
                kit::float_of(static_cast<Half>(from_b >> 16 * (k % 2)));
    }
  }
}

inline void copy_async(void* to, const void* from) { std::memcpy(to, from, 16); }
inline void commit_copies() {}
template <int kLeft>
void wait_for_copies() {}

#endif
