// Factors that divide by a number: the quotient is the high word of a product, shifted (Granlund and
// Montgomery, "Division by Invariant Integers using Multiplication", 1994; Warren, Hacker's Delight, chapter
// 10).
#pragma once

#include <bit>
#include <cstdint>

namespace heddle::lower {

/// n / d = high(n * factor) >> shift. With `adds` the factor has 2^32 more.
struct MagicUnsigned {
  std::uint32_t factor = 0;
  unsigned shift = 0;
  bool adds = false;
};

/// n / d = (high(n * factor), + n or - n where the factor's sign is not d's, >> shift), + 1 where that is
/// negative.
struct MagicSigned {
  std::int32_t factor = 0;
  unsigned shift = 0;
};

/// d is no power of two.
inline MagicUnsigned magic_unsigned(std::uint32_t d) {
  const auto bits = static_cast<unsigned>(std::bit_width(d));  // 2^(bits - 1) < d < 2^bits
  // The least shift for which 2^(32 + shift) / d, rounded up, is near enough: its excess times 2^32 is within
  // 2^shift.
  for (unsigned shift = 0; shift < bits; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << (32 + shift);
    const std::uint64_t factor = power / d + 1;
    if (factor * d - power <= std::uint64_t{1} << shift)
      return {static_cast<std::uint32_t>(factor), shift, factor >> 32 != 0};
  }
  // 2^(32 + bits) may not fit into 64 bits: (2^bits - d) 2^32 / d + 1 is the factor less 2^32.
  const std::uint64_t rest = (std::uint64_t{1} << bits) - d;
  return {static_cast<std::uint32_t>((rest << 32) / d + 1), bits, true};
}

/// |d| is 2 or more.
inline MagicSigned magic_signed(std::int32_t d) {
  const std::uint64_t size =
      d < 0 ? 0 - static_cast<std::uint64_t>(static_cast<std::int64_t>(d)) : static_cast<std::uint64_t>(d);
  const std::uint64_t limit = (std::uint64_t{1} << 31) + (d < 0 ? 1 : 0);
  const std::uint64_t greatest = limit - 1 - limit % size;  // the greatest n whose remainder is |d| - 1
  for (unsigned shift = 0;; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << (32 + shift);
    const std::uint64_t excess = size - power % size;
    if (power > greatest * excess) {
      const std::uint64_t factor = (power + excess) / size;
      const auto bits = static_cast<std::uint32_t>(d < 0 ? 0 - factor : factor);
      return {static_cast<std::int32_t>(bits), shift};
    }
  }
}

}  // namespace heddle::lower
