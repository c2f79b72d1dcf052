// Fields of bits in an encoding.
#pragma once

#include <cstdint>

#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Bits `first` to `first + count - 1`, counted from 0 to 127; at most 64 of them.
struct BitRange {
  unsigned first = 0;
  unsigned count = 0;
};

constexpr std::uint64_t low_bits(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

constexpr std::uint64_t bits_of(const Encoding& encoding, BitRange range) {
  constexpr unsigned kHalf = 64;
  if (range.first >= kHalf) return encoding[1] >> (range.first - kHalf) & low_bits(range.count);
  std::uint64_t value = encoding[0] >> range.first;
  if (range.first != 0 && range.first + range.count > kHalf) value |= encoding[1] << (kHalf - range.first);
  return value & low_bits(range.count);
}

/// The lowest `count` bits of the value as a number with a sign.
constexpr std::int64_t as_signed(std::uint64_t value, unsigned count) {
  const std::uint64_t sign = std::uint64_t{1} << (count - 1);
  return static_cast<std::int64_t>((value & low_bits(count)) ^ sign) - static_cast<std::int64_t>(sign);
}

}  // namespace heddle::cubin
