#include <bit>
#include <cfenv>
#include <cmath>

#include "tests/support/lane_reference.h"

namespace heddle::test::reference {

namespace {

/// The host rounds so while the object lives.
class HostRounding {
 public:
  explicit HostRounding(Direction direction) : before_(std::fegetround()) {
    constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(kModes[static_cast<int>(direction)]);
  }
  ~HostRounding() { std::fesetround(before_); }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;

 private:
  int before_;
};

float number(U32 bits) { return std::bit_cast<float>(bits); }

U32 result(float value) { return std::isnan(value) ? kCanonicalNan : std::bit_cast<U32>(value); }

U32 without_denormals(U32 bits, bool flush) {
  const bool is_denormal = std::fpclassify(number(bits)) == FP_SUBNORMAL;
  return flush && is_denormal ? bits & 0x80000000U : bits;
}

U32 after(U32 bits, const FloatMode& mode) {
  bits = without_denormals(bits, mode.flush);
  if (!mode.saturate) return bits;
  const float value = number(bits);
  return std::isnan(value) || value <= 0 ? 0 : value >= 1 ? 0x3f800000 : bits;
}

// Volatile, so that the compiler computes nothing in advance, in its own rounding.
float host_add(float a, float b) {
  volatile float x = a;
  volatile float y = b;
  volatile float z = x + y;
  return z;
}
float host_multiply(float a, float b) {
  volatile float x = a;
  volatile float y = b;
  volatile float z = x * y;
  return z;
}
float host_fma(float a, float b, float c) {
  volatile float x = a;
  volatile float y = b;
  volatile float w = c;
  volatile float z = std::fma(x, y, w);
  return z;
}

// .FTZ asks whether a result would lie below the least normal number if exponents had no end. So it is computed again
// 2^64 times as great, of which the lesser factor takes care; what then is too great is not small.
constexpr float kScale = 0x1p64F;

float greater(float a, float b) { return std::fabs(a) < std::fabs(b) ? b : a; }
float scaled_lesser(float a, float b) { return (std::fabs(a) < std::fabs(b) ? a : b) * kScale; }

U32 flushed_by(U32 rounded, float scaled) {
  return std::fabs(scaled) < 0x1p-126F * kScale ? rounded & 0x80000000U : rounded;
}

/// The magnitude of a 16-bit float, of infinity as if exponents went on.
double magnitude_of(U32 code, const NarrowFormat& format) {
  const U32 field = code >> format.fraction;
  const U32 fraction = code % (1U << format.fraction);
  const double mantissa = field == 0 ? fraction : fraction + static_cast<double>(1U << format.fraction);
  return std::ldexp(mantissa, static_cast<int>(field == 0 ? 1 : field) - 1 + format.least - format.fraction);
}

U32 infinity_of(const NarrowFormat& format) { return 0x7fffU >> format.fraction << format.fraction; }

double value_of(U32 word, const NarrowFormat& format) {
  const U32 code = word & 0x7fff;
  const U32 infinity = infinity_of(format);
  const double magnitude = code > infinity ? NAN : code == infinity ? INFINITY : magnitude_of(code, format);
  return (word & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Where the exact number, of which `sum` is the nearest double and `error` the rest, lies beside `middle`, which is a
/// double.
int side_of(double sum, double error, double middle) {
  if (sum != middle) return sum < middle ? -1 : 1;
  return error < 0 ? -1 : error > 0 ? 1 : 0;
}

/// To nearest even, by looking for the neighbours.
U32 to_narrow(double sum, double error, const NarrowFormat& format) {
  if (std::isnan(sum)) return 0x7fff;
  const U32 sign = std::signbit(sum) ? 0x8000 : 0;
  const double positive = sign != 0 ? -sum : sum;
  const double rest = sign != 0 ? -error : error;
  U32 low = 0;
  U32 high = infinity_of(format);
  if (std::isinf(sum) || side_of(positive, rest, magnitude_of(high, format)) >= 0) return sign | high;
  while (high - low > 1) {
    const U32 middle = (low + high) / 2;
    (side_of(positive, rest, magnitude_of(middle, format)) >= 0 ? low : high) = middle;
  }
  const int side = side_of(positive, rest, (magnitude_of(low, format) + magnitude_of(high, format)) / 2);
  return sign | (side < 0 || (side == 0 && low % 2 == 0) ? low : high);
}

U32 narrow_sum(double a, double b, const NarrowFormat& format) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = std::isfinite(sum) ? (a - (sum - b_part)) + (b - b_part) : 0;
  return to_narrow(sum, error, format);
}

template <typename Function>
U32 both(U32 a, U32 b, U32 c, Function function) {
  return function(a >> 16, b >> 16, c >> 16) << 16 | function(a & 0xffff, b & 0xffff, c & 0xffff);
}

}  // namespace

U32 fadd_as(U32 a, U32 b, const FloatMode& mode) {
  const HostRounding rounding(mode.direction);
  return after(result(host_add(number(without_denormals(a, mode.flush)), number(without_denormals(b, mode.flush)))),
               mode);
}

U32 fmul_as(U32 a, U32 b, const FloatMode& mode) {
  const HostRounding rounding(mode.direction);
  const float x = number(without_denormals(a, mode.flush));
  const float y = number(without_denormals(b, mode.flush));
  const U32 product = result(host_multiply(x, y));
  if (!mode.flush) return after(product, mode);
  return after(flushed_by(product, host_multiply(scaled_lesser(x, y), greater(x, y))), mode);
}

U32 ffma_as(U32 a, U32 b, U32 c, const FloatMode& mode) {
  const HostRounding rounding(mode.direction);
  const float x = number(without_denormals(a, mode.flush));
  const float y = number(without_denormals(b, mode.flush));
  const float z = number(without_denormals(c, mode.flush));
  const U32 sum = result(host_fma(x, y, z));
  if (!mode.flush) return after(sum, mode);
  return after(flushed_by(sum, host_fma(scaled_lesser(x, y), greater(x, y), z * kScale)), mode);
}

U32 fmnmx(U32 a, U32 b, bool less, bool flush) {
  a = without_denormals(a, flush);
  b = without_denormals(b, flush);
  if (is_nan(a) && is_nan(b)) return kCanonicalNan;
  if (is_nan(a) || is_nan(b)) return is_nan(a) ? b : a;
  const bool a_is_less = number(a) < number(b) || (number(a) == number(b) && std::signbit(number(a)));
  return a_is_less == less ? a : b;
}

U32 whole_float(U32 a, Rounding rounding, bool flush) {
  const float value = number(without_denormals(a, flush));
  switch (rounding) {
    case Rounding::Trunc:
      return result(std::trunc(value));
    case Rounding::Floor:
      return result(std::floor(value));
    case Rounding::Ceil:
      return result(std::ceil(value));
    default: {
      const float below = std::floor(value);
      const float rest = value - below;
      const bool up = rest > 0.5F || (rest == 0.5F && std::fmod(below, 2.0F) != 0);
      return result(std::isfinite(value) ? std::copysign(up ? below + 1 : below, value) : value);
    }
  }
}

U32 flushed(U32 a) { return without_denormals(a, true); }

U32 narrow_from_float(U32 a, const NarrowFormat& format) {
  return to_narrow(static_cast<double>(number(a)), 0, format);
}

U32 narrow_from_double(double a, const NarrowFormat& format) { return to_narrow(a, 0, format); }

double double_from_half(U32 a) { return value_of(a & 0xffff, kHalfFormat); }

U32 float_from_half(U32 a) { return result(static_cast<float>(value_of(a & 0xffff, kHalfFormat))); }

U32 hadd2(U32 a, U32 b, const NarrowFormat& format) {
  return both(a, b, 0, [&](U32 x, U32 y, U32) { return narrow_sum(value_of(x, format), value_of(y, format), format); });
}

U32 hmul2(U32 a, U32 b, const NarrowFormat& format) {
  return both(a, b, 0, [&](U32 x, U32 y, U32) { return to_narrow(value_of(x, format) * value_of(y, format), 0, format); });
}

U32 hfma2(U32 a, U32 b, U32 c, const NarrowFormat& format) {
  return both(a, b, c, [&](U32 x, U32 y, U32 z) {
    return narrow_sum(value_of(x, format) * value_of(y, format), value_of(z, format), format);
  });
}

namespace {

template <typename Float>
Float rounded(Integer128 value, Direction direction) {
  // Magnitudes below 2^64 are exact in long double; from there one rounding by the host is all.
  const HostRounding rounding(direction);
  volatile long double exact = static_cast<long double>(value);
  volatile Float narrowed = static_cast<Float>(exact);
  return narrowed;
}

}  // namespace

U32 float_of_integer(Integer128 value, Direction direction) {
  return std::bit_cast<U32>(rounded<float>(value, direction));
}

U64 double_of_integer(Integer128 value) { return std::bit_cast<U64>(rounded<double>(value, Direction::Nearest)); }

U32 float_of_double(U64 bits, Direction direction) {
  const HostRounding rounding(direction);
  volatile double exact = std::bit_cast<double>(bits);
  volatile float narrowed = static_cast<float>(exact);
  if (std::isnan(narrowed)) return static_cast<U32>(bits >> 63 << 31 | 0x7fc00000 | (bits >> 29 & 0x7fffff));
  return result(narrowed);
}

U32 float_of_double_flushed(U64 bits, Direction direction) {
  const HostRounding rounding(direction);
  volatile double scaled = std::bit_cast<double>(bits) * kScale;
  return flushed_by(float_of_double(bits, direction), static_cast<float>(scaled));
}

U64 integer_of_double(double value, Rounding rounding, unsigned bits, bool is_signed, U64 nan) {
  if (std::isnan(value)) return nan;
  const long double exact = value;
  const long double below = std::floor(exact);
  const long double rest = exact - below;
  bool up = false;
  if (rounding == Rounding::Nearest) up = rest > 0.5L || (rest == 0.5L && std::fmod(below, 2.0L) != 0);
  if (rounding == Rounding::Trunc) up = value < 0 && rest != 0;
  if (rounding == Rounding::Ceil) up = rest != 0;
  const long double whole = std::isinf(value) ? exact : below + (up ? 1 : 0);
  const long double end = std::ldexp(1.0L, static_cast<int>(is_signed ? bits - 1 : bits));
  const U64 all = bits == 64 ? ~U64{0} : (U64{1} << bits) - 1;
  if (whole >= end) return is_signed ? all >> 1 : all;
  if (whole < (is_signed ? -end : 0)) return is_signed ? (all >> 1) + 1 : 0;
  return static_cast<U64>(static_cast<Integer128>(whole)) & all;
}

}  // namespace heddle::test::reference
