// Division by a number that is known only at run time but used many times. A multiplication replaces the
// division of 64-bit numbers, which takes a processor 15 to 90 cycles.
#pragma once

#include <cstdint>

namespace heddle {

/// A divisor with its precomputed reciprocal.
class Divisor {
 public:
  /// `divisor` must not be 0.
  explicit constexpr Divisor(std::uint64_t divisor = 1)
      : divisor_(divisor), reciprocal_(~std::uint64_t{0} / divisor) {}

  [[nodiscard]] constexpr std::uint64_t value() const { return divisor_; }

  [[nodiscard]] constexpr std::uint64_t quotient(std::uint64_t number) const {
    const std::uint64_t below = estimate(number);
    return below + (number - below * divisor_ >= divisor_);
  }
  [[nodiscard]] constexpr std::uint64_t remainder(std::uint64_t number) const {
    const std::uint64_t rest = number - estimate(number) * divisor_;
    return rest >= divisor_ ? rest - divisor_ : rest;
  }
  /// The quotient, rounded up.
  [[nodiscard]] constexpr std::uint64_t quotient_up(std::uint64_t number) const {
    return quotient(number + divisor_ - 1);
  }

 private:
  /// The quotient, or one less, because the error of the reciprocal is less than divisor / 2^64.
  [[nodiscard]] constexpr std::uint64_t estimate(std::uint64_t number) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{number} * reciprocal_ >> 64);
  }

  std::uint64_t divisor_;
  std::uint64_t reciprocal_;  // (2^64 - 1) / divisor, rounded down
};

}  // namespace heddle
