// Floating-point numbers of 16 bits: IEEE half precision and bfloat16.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace heddle {

/// A format with this many fraction bits and with exponents from kLeast to kMost.
template <int kFraction, int kLeast, int kMost>
struct NarrowFloat {
  static constexpr int kFractionBits = kFraction;
  static constexpr int kLeastExponent = kLeast;  ///< For normal numbers; denormals use it, too.
  static constexpr std::uint32_t kSign = 0x8000;
  static constexpr std::uint32_t kInfinity = static_cast<std::uint32_t>(kMost - kLeast + 2) << kFraction;
  static constexpr std::uint32_t kNan = 0x7fff;  ///< The NaN that NVIDIA GPUs produce.

  /// Rounds to nearest even.
  static std::uint32_t from(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint32_t sign = static_cast<std::uint32_t>(bits >> 63) * kSign;
    const double magnitude = std::fabs(value);
    if (magnitude != magnitude) return kNan;
    if (magnitude >= power_of_two(kMost + 1)) return sign | kInfinity;
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    const int used = exponent < kLeast ? kLeast : exponent;
    // In units of the last place. A carry into the next power of two becomes a carry into the exponent field.
    const double units = std::nearbyint(magnitude * power_of_two(kFraction - used));
    const auto field = static_cast<std::uint32_t>(used - kLeast) << kFraction;
    return sign | (field + static_cast<std::uint32_t>(static_cast<std::int32_t>(units)));
  }

  /// The value of the low 16 bits.
  static double value(std::uint32_t word) {
    const std::uint32_t magnitude_bits = word & 0x7fff;
    const std::uint32_t fraction = word & ((1U << kFraction) - 1);
    const std::uint32_t field = magnitude_bits >> kFraction;
    const std::uint32_t units = field == 0 ? fraction : fraction + (1U << kFraction);
    const int exponent = static_cast<int>(field == 0 ? 1 : field) - 1 + kLeast - kFraction;
    double magnitude = static_cast<double>(static_cast<std::int32_t>(units)) * power_of_two(exponent);
    if (magnitude_bits >= kInfinity) magnitude = magnitude_bits == kInfinity ? HUGE_VAL : NAN;
    return (word & kSign) != 0 ? -magnitude : magnitude;
  }

 private:
  static constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  }
};

using Half = NarrowFloat<10, -14, 15>;
using Bfloat = NarrowFloat<7, -126, 127>;

}  // namespace heddle
