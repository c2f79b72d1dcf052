#include "tests/support/lane_reference.h"

#include <bit>
#include <cmath>

namespace heddle::test::reference {

namespace {

double number(U32 bits) { return static_cast<double>(std::bit_cast<float>(bits)); }

U32 result(double value) {
  return std::isnan(value) ? kCanonicalNan : std::bit_cast<U32>(static_cast<float>(value));
}

/// a + b rounded to odd: from there a rounding to float is as if from the exact sum (Boldo and Melquiond).
double add_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);  // exact: Knuth's two-sum
  if (error == 0 || (std::bit_cast<U64>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

template <typename Number>
bool holds(Number a, Number b, Relation relation) {
  switch (relation) {
    case Relation::Less:
      return a < b;
    case Relation::Equal:
      return a == b;
    case Relation::LessOrEqual:
      return a < b || a == b;
    case Relation::Greater:
      return b < a;
    case Relation::NotEqual:
      return a < b || b < a;
    case Relation::GreaterOrEqual:
      return b < a || a == b;
  }
  return false;
}

std::int64_t integer(U32 bits, bool is_signed) {
  const auto value = static_cast<std::int64_t>(bits);
  return is_signed && value >= 0x80000000 ? value - 0x100000000 : value;
}

/// Whether a magnitude, cut off after its integer part, goes up to the next integer. `rest` of `whole` was
/// cut.
bool goes_up(U64 kept, U64 rest, U64 whole, Rounding rounding, bool negative) {
  switch (rounding) {
    case Rounding::Nearest:
      return 2 * rest > whole || (2 * rest == whole && kept % 2 == 1);
    case Rounding::Trunc:
      return false;
    case Rounding::Floor:
      return negative && rest != 0;
    case Rounding::Ceil:
      return !negative && rest != 0;
  }
  return false;
}

std::int64_t clamp_magnitude(U64 magnitude, bool negative, bool is_signed) {
  const auto value = static_cast<std::int64_t>(magnitude);
  const std::int64_t least = is_signed ? -0x80000000LL : 0;
  const std::int64_t most = is_signed ? 0x7fffffffLL : 0xffffffffLL;
  const std::int64_t signed_value = negative ? -value : value;
  return signed_value < least ? least : signed_value > most ? most : signed_value;
}

}  // namespace

bool is_nan(U32 bits) { return (bits & 0x7f800000U) == 0x7f800000U && (bits & 0x007fffffU) != 0; }

U32 iadd3(U32 a, U32 b, U32 c) { return static_cast<U32>((U64{a} + b + c) % 0x100000000U); }

U32 imad(U32 a, U32 b, U32 c) { return static_cast<U32>((U64{a} * b % 0x100000000U + c) % 0x100000000U); }

U64 imad_wide(U32 a, U32 b, U64 c, bool is_signed) {
  const std::int64_t x = integer(a, is_signed);
  const std::int64_t y = integer(b, is_signed);
  const bool negative = (x < 0) != (y < 0);
  const U64 magnitude = static_cast<U64>(x < 0 ? -x : x) * static_cast<U64>(y < 0 ? -y : y);
  return negative ? c - magnitude : c + magnitude;
}

U32 lop3(U32 a, U32 b, U32 c, unsigned table) {
  unsigned
      place_of[8];  // by the bits of a, b and c: the bit of 0xF0, 0xCC and 0xAA that has this combination
  for (unsigned place = 0; place < 8; ++place) {
    place_of[(0xF0U >> place & 1) * 4 + (0xCCU >> place & 1) * 2 + (0xAAU >> place & 1)] = place;
  }
  U32 out = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned place = place_of[(a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1)];
    out |= (table >> place & 1) << bit;
  }
  return out;
}

U32 funnel_shift(U32 a, U32 b, U32 c, const Shift& shift) {
  if (shift.wraps) {
    b &= shift.bits - 1;
  } else if (b > shift.bits) {
    b = shift.bits;
  }
  const auto bit_of = [&](U64 place) { return place < 32 ? a >> place & 1 : c >> (place - 32) & 1; };
  const U32 incoming = !shift.left && shift.is_signed ? c >> 31 : 0;
  U32 out = 0;
  for (U64 bit = 0; bit < 32; ++bit) {
    const U64 place = bit + (shift.high ? 32 : 0);
    U32 value = 0;
    if (shift.left) {
      value = place >= b ? bit_of(place - b) : 0;
    } else {
      value = place + b < 64 ? bit_of(place + b) : incoming;
    }
    out |= value << bit;
  }
  return out;
}

// Sums and products of two floats, rounded to double and then to float, are as if rounded once.
U32 fadd(U32 a, U32 b) { return result(number(a) + number(b)); }
U32 fmul(U32 a, U32 b) { return result(number(a) * number(b)); }
U32 ffma(U32 a, U32 b, U32 c) { return result(add_to_odd(number(a) * number(b), number(c))); }

U32 float_to_integer(U32 bits, Rounding rounding, bool is_signed) {
  if (is_nan(bits)) return 0;
  const bool negative = bits >> 31 != 0;
  const U32 field = bits >> 23 & 0xff;
  const U64 mantissa = (bits & 0x7fffff) | (field != 0 ? 0x800000U : 0U);
  const int exponent =
      (field != 0 ? static_cast<int>(field) : 1) - 150;  // the value is mantissa * 2^exponent
  U64 magnitude = 0;
  if (exponent >= 0) {
    magnitude = exponent > 32 ? U64{1} << 62 : mantissa << exponent;
  } else {
    // Below 2^-40 all that counts is that there is a rest.
    const int cut = exponent < -40 ? 40 : -exponent;
    const U64 whole = U64{1} << cut;
    const U64 rest = exponent < -40 ? (mantissa != 0 ? 1 : 0) : mantissa % whole;
    magnitude = exponent < -40 ? 0 : mantissa / whole;
    if (goes_up(magnitude, rest, whole, rounding, negative)) ++magnitude;
  }
  return static_cast<U32>(clamp_magnitude(magnitude, negative, is_signed));
}

U32 integer_to_float(U32 value, bool is_signed) {
  const std::int64_t exact = integer(value, is_signed);
  const U32 sign = exact < 0 ? 0x80000000U : 0;
  U64 mantissa = static_cast<U64>(exact < 0 ? -exact : exact);
  if (mantissa == 0) return 0;
  U32 exponent = 127 + 23;
  while (mantissa < 0x800000) {
    mantissa *= 2;
    --exponent;
  }
  U64 whole = 1;
  while (mantissa / whole >= 0x1000000) {
    whole *= 2;
    ++exponent;
  }
  U64 kept = mantissa / whole;
  if (goes_up(kept, mantissa % whole, whole, Rounding::Nearest, false)) ++kept;
  // A carry out of the mantissa makes the exponent one greater, as it should.
  return sign + (exponent << 23) + static_cast<U32>(kept - 0x800000);
}

bool compare_integers(U32 a, U32 b, Relation relation, bool is_signed) {
  return holds(integer(a, is_signed), integer(b, is_signed), relation);
}

bool compare_floats(U32 a, U32 b, Relation relation, bool unordered) {
  if (is_nan(a) || is_nan(b)) return unordered;
  return holds(number(a), number(b), relation);
}

}  // namespace heddle::test::reference
