// Floats of 16 bits by their definition, in arithmetic of 113 bits: what tests expect.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>

namespace heddle::test {

using U64 = std::uint64_t;
__extension__ using Quad = __float128;

/// A format of 16 bits: so many bits of fraction, and the exponent of its least normal number.
struct Format {
  int fraction;
  int least;
  const char* word;
};
constexpr Format kHalf{10, -14, "f16"};
constexpr Format kBfloat{7, -126, "bf16"};

inline double value_of(const Format& format, U64 word) {
  const int exponents = 15 - format.fraction;
  const auto field = static_cast<int>(word >> format.fraction & ((1U << exponents) - 1));
  const auto fraction = static_cast<double>(word & ((1U << format.fraction) - 1));
  double size = 0;
  if (field == (1 << exponents) - 1) {
    size = fraction != 0 ? NAN : HUGE_VAL;
  } else if (field == 0) {
    size = std::ldexp(fraction, format.least - format.fraction);
  } else {
    size =
        std::ldexp(fraction + std::ldexp(1.0, format.fraction), field - 1 + format.least - format.fraction);
  }
  return (word & 0x8000) != 0 ? -size : size;
}

/// Rounds an exact value to nearest even, or in a direction. `beyond` is what the value has that its 113 bits
/// do not hold.
inline U64 narrow(const Format& format, Quad exact, int direction = FE_TONEAREST,
                  bool is_negative_zero = false, Quad beyond = 0) {
  const bool negative = exact < 0 || (exact == 0 && is_negative_zero);
  const U64 sign = negative ? 0x8000 : 0;
  if (exact != exact) return 0x7fff;
  Quad size = negative ? -exact : exact;
  const int most = 1 - format.least;
  const U64 infinity = ((U64{1} << (15 - format.fraction)) - 1) << format.fraction;
  const bool goes_out = (direction == FE_UPWARD && !negative) || (direction == FE_DOWNWARD && negative);
  if (size > std::ldexp(1.0, 300)) {  // infinite: nothing finite is as great
    if (std::isinf(static_cast<double>(size))) return sign | infinity;
  }
  int exponent = format.least;
  while (exponent < most && size >= static_cast<Quad>(std::ldexp(1.0, exponent + 1))) ++exponent;
  const Quad unit = static_cast<Quad>(std::ldexp(1.0, exponent - format.fraction));
  const Quad units = size / unit;
  const bool is_beyond = units >= static_cast<Quad>(std::ldexp(1.0, format.fraction + 1));
  U64 whole = is_beyond ? U64{1} << (format.fraction + 1) : static_cast<U64>(units);
  const Quad rest = units - static_cast<Quad>(whole);
  const bool is_more = negative ? beyond < 0 : beyond > 0;
  const bool up_from_middle = beyond == 0 ? (whole & 1) != 0 : is_more;
  const bool up =
      direction == FE_TONEAREST ? rest > 0.5 || (rest == 0.5 && up_from_middle) : goes_out && rest > 0;
  if (up) ++whole;
  const U64 most_whole = (U64{1} << (format.fraction + 1)) - 1;
  if (exponent == most && whole > most_whole)
    return sign | (direction == FE_TONEAREST || goes_out ? infinity : infinity - 1);
  // A carry goes into the exponent by itself.
  return sign | ((static_cast<U64>(exponent - format.least) << format.fraction) + whole);
}

}  // namespace heddle::test
