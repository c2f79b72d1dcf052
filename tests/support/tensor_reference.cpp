#include "tests/support/tensor_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tests/support/lane_reference.h"

namespace heddle::test {

namespace {

using U32 = std::uint32_t;

double value_of(U32 bits, bool is_bfloat, bool is_tf32 = false) {
  if (is_tf32) {
    const float value = std::bit_cast<float>(bits & 0xffffe000U);
    return static_cast<double>(value);
  }
  const U32 wide = is_bfloat ? bits << 16 : reference::float_from_half(bits);
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return static_cast<double>(value);
}

/// OCP 8-bit floating point specification: E4M3 has no infinities, and a NaN of all ones.
double byte_value(U32 bits, bool is_e4m3) {
  const U32 fraction_bits = is_e4m3 ? 3 : 2;
  const U32 field = (bits & 0x7f) >> fraction_bits;
  const U32 fraction = bits & ((1U << fraction_bits) - 1);
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  if (is_e4m3 && (bits & 0x7f) == 0x7f) return NAN;
  if (!is_e4m3 && field == 31) return fraction == 0 ? sign * HUGE_VAL : NAN;
  const int bias = is_e4m3 ? 7 : 15;
  const int exponent = static_cast<int>(std::max(field, 1U)) - bias - static_cast<int>(fraction_bits);
  return sign * std::ldexp(static_cast<double>(fraction + (field == 0 ? 0 : 1U << fraction_bits)), exponent);
}

double element_of(const TensorNumbers& numbers, U32 bits, bool is_e4m3) {
  return numbers.has_bytes ? byte_value(bits, is_e4m3) : value_of(bits, numbers.is_bfloat, numbers.has_tf32);
}

int least_exponent(const TensorNumbers& numbers, bool is_e4m3) {
  if (numbers.has_bytes && is_e4m3) return -6;
  return numbers.is_bfloat || numbers.has_tf32 ? -126 : -14;
}

double single_of(U32 bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

/// The exponent of a number that is not zero, as its format has it; meaningless for infinities and NaNs.
int exponent_of(double value, int least) {
  return std::isfinite(value) ? std::max(std::ilogb(value), least) : 0;
}

U32 single_towards_zero(double value) {
  auto narrow = static_cast<float>(value);
  const bool is_too_great = std::fabs(value) >= std::ldexp(1.0, 128);
  if (!is_too_great && std::fabs(static_cast<double>(narrow)) > std::fabs(value))
    narrow = std::nextafter(narrow, 0.0F);
  U32 bits = 0;
  std::memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

/// To nearest even: the candidates are multiples of the last place.
U32 half_to_nearest(double value) {
  const U32 sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int exponent = exponent_of(magnitude, -14);
  double units = std::ldexp(magnitude, 10 - exponent);
  const double below = std::floor(units);
  const double rest = units - below;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) == 1);
  units = below + (up ? 1 : 0);
  const double rounded = std::ldexp(units, exponent - 10);
  if (rounded >= 65536) return sign | 0x7c00;
  // Denormals have the exponent field 0, others that of their leading bit.
  if (rounded < std::ldexp(1.0, -14)) return sign | static_cast<U32>(std::ldexp(rounded, 24));
  const int leading = std::ilogb(rounded);
  return sign | static_cast<U32>(leading + 15) << 10 |
         static_cast<U32>(std::ldexp(rounded, 10 - leading) - 1024);
}

}  // namespace

U32 tensor_element(const TensorNumbers& numbers, const exec::TensorArithmetic& arithmetic,
                   const std::vector<U32>& row, const std::vector<U32>& column, U32 c) {
  const auto depth = static_cast<unsigned>(row.size());
  U32 bits = c;
  const unsigned terms = std::min(depth, arithmetic.terms);
  for (unsigned first = 0; first < depth; first += terms) {
    std::vector<double> values = {numbers.has_wide_sums ? single_of(bits) : value_of(bits, false)};
    std::vector<int> exponents = {
        values[0] == 0 ? -126 : exponent_of(values[0], numbers.has_wide_sums ? -126 : -14)};
    double plain = values[0];
    for (unsigned k = first; k < first + terms; ++k) {
      const double x = element_of(numbers, row[k], numbers.a_is_e4m3);
      const double y = element_of(numbers, column[k], numbers.b_is_e4m3);
      plain += x * y;
      values.push_back(x * y);
      exponents.push_back(x * y == 0 ? -126 : exponent_of(x, least_exponent(numbers, numbers.a_is_e4m3)) +
                                                        exponent_of(y, least_exponent(numbers, numbers.b_is_e4m3)));
    }
    if (std::isnan(plain)) {
      bits = numbers.has_wide_sums ? 0x7fffffff : 0x7fff;
    } else if (std::isinf(plain)) {
      bits = (plain < 0 ? (numbers.has_wide_sums ? 0x80000000U : 0x8000U) : 0U) |
             (numbers.has_wide_sums ? 0x7f800000U : 0x7c00U);
    } else {
      const int top = *std::max_element(exponents.begin(), exponents.end());
      const int unit = top - static_cast<int>(arithmetic.fraction_bits);
      double sum = 0;
      for (const double value : values) sum += std::trunc(std::ldexp(value, -unit));
      const double exact = std::ldexp(sum, unit);
      bits = numbers.has_wide_sums ? single_towards_zero(exact) : half_to_nearest(exact);
      const bool is_short = numbers.has_bytes && numbers.has_wide_sums && arithmetic.fraction_bits < 23;
      if (is_short) bits &= ~((1U << (23 - arithmetic.fraction_bits)) - 1);
    }
  }
  return bits;
}

U32 narrow_operand(LaneValues& values, bool is_bfloat, unsigned kind) {
  const U32 sign = values.one_in(2) ? 0x8000U : 0;
  const unsigned fraction_bits = is_bfloat ? 7 : 10;
  const U32 fraction = values.any_bits() & ((1U << fraction_bits) - 1);
  const U32 fields = is_bfloat ? 255 : 31;
  const U32 bias = fields / 2;
  U32 field = values.below(fields);
  if (kind == 1) field = bias - 3 + values.below(6);
  if (kind == 2 && values.one_in(2)) return sign | (values.one_in(3) ? 0 : fraction);
  if (kind == 3 && values.one_in(60))
    return sign | fields << fraction_bits | (values.one_in(3) ? fraction : 0);
  return sign | field << fraction_bits | fraction;
}

U32 single_operand(LaneValues& values, unsigned kind) {
  const U32 bits = values.any_bits();
  const U32 fraction_and_sign = bits & 0x807fffffU;
  if (values.one_in(4)) return bits & 0x80000000U;
  if (kind == 2 && values.one_in(2)) return fraction_and_sign;
  if (kind == 3 && values.one_in(20))
    return 0x7f800000U | (values.one_in(2) ? fraction_and_sign : bits & 0x80000000U);
  if (kind == 0) return fraction_and_sign | values.below(255) << 23;
  return fraction_and_sign | (110 + values.below(34)) << 23;
}

}  // namespace heddle::test
