#include "isa/cubin/numbers.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace heddle::cubin {

namespace {

constexpr double kFirstInScientific = 1e9;

/// A blank follows what is no number, as nvdisasm has it.
/// A number of a format with so many bits of fraction. `bits` holds the sign, the exponent and the fraction.
std::string text_of(double value, std::uint64_t fraction, unsigned fraction_bits) {
  const char sign = std::signbit(value) ? '-' : '+';
  if (std::isinf(value)) return fmt::format("{}INF ", sign);
  if (std::isnan(value))
    return fmt::format("{}{}NAN ", sign, (fraction >> (fraction_bits - 1)) != 0 ? 'Q' : 'S');
  if (value == 0) return sign == '-' ? "-0.0" : "0";
  if (std::abs(value) >= kFirstInScientific) return fmt::format("{:.20e}", value);
  return fmt::format("{:.20g}", value);
}

std::string half_text(std::uint32_t bits) {
  constexpr int kLeastExponent = -24;
  const std::uint32_t fraction = bits & 0x3ff;
  const std::uint32_t exponent = bits >> 10 & 0x1f;
  double value = 0;
  if (exponent == 0x1f) {
    value = fraction == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    value = std::ldexp(fraction, kLeastExponent);
  } else {
    value = std::ldexp(fraction + 0x400, static_cast<int>(exponent) + kLeastExponent - 1);
  }
  return text_of((bits & 0x8000) != 0 ? std::copysign(value, -1.0) : value, fraction, 10);
}

std::string bfloat_text(std::uint32_t bits) {
  return text_of(std::bit_cast<float>(bits << 16), bits & 0x7f, 7);
}

}  // namespace

std::string float_text(std::uint32_t bits) {
  return text_of(std::bit_cast<float>(bits), bits & 0x7fffff, 23);
}

std::string double_text(std::uint32_t high_word) {
  return text_of(std::bit_cast<double>(std::uint64_t{high_word} << 32), high_word & 0xfffff, 20);
}

std::string half_pair_text(std::uint32_t bits) {
  return fmt::format("{}, {}", half_text(bits >> 16), half_text(bits & 0xffff));
}

std::string bfloat_pair_text(std::uint32_t bits) {
  return fmt::format("{}, {}", bfloat_text(bits >> 16), bfloat_text(bits & 0xffff));
}

std::string signed_text(std::int64_t value) {
  return value < 0 ? fmt::format("-{:#x}", 0 - static_cast<std::uint64_t>(value))
                   : unsigned_text(static_cast<std::uint64_t>(value));
}

std::string unsigned_text(std::uint64_t value) { return fmt::format("{:#x}", value); }

}  // namespace heddle::cubin
