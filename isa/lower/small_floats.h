// Floating-point formats of 4, 6 and 8 bits, which PTX converts in pairs. After the Open Compute Project's
// "OCP Microscaling Formats" and "8-bit Floating Point Specification", and the PTX ISA's "Alternate
// Floating-Point Data Formats".
#pragma once

#include <cstdint>

#include "isa/ptx/modifier.h"

namespace heddle::lower {

struct SmallFloat {
  ptx::Modifier packed;  ///< The type of a pair, and
  unsigned pair_bits;    ///< its bits.
  unsigned exponent_bits;
  unsigned fraction_bits;
  int least_exponent;           ///< Of normal numbers.
  std::uint32_t most_as_float;  ///< The greatest number, as the bits of a float,
  unsigned greatest_number;     ///< and as its own.
  unsigned sign_bit;
  bool has_nan;
  unsigned nan;  ///< What NaN becomes: where there is none, the greatest number.
};

inline constexpr SmallFloat kSmallFloats[] = {
    {ptx::Modifier::E4m3x2, 16, 4, 3, -6, 0x43e00000, 0x7e, 0x80, true, 0x7f},   // 448
    {ptx::Modifier::E5m2x2, 16, 5, 2, -14, 0x47600000, 0x7c, 0x80, true, 0x7f},  // 57344; 0x7c is infinity
    {ptx::Modifier::E2m3x2, 16, 2, 3, 0, 0x40f00000, 0x1f, 0x20, false, 0x1f},   // 7.5
    {ptx::Modifier::E3m2x2, 16, 3, 2, -2, 0x41e00000, 0x1f, 0x20, false, 0x1f},  // 28
    {ptx::Modifier::E2m1x2, 8, 2, 1, 0, 0x40c00000, 0x7, 0x8, false, 0x7},       // 6
};

}  // namespace heddle::lower
