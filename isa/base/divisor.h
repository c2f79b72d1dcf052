// Division by a number that is not known before run time but used again and again: a multiplication instead
// of the 15 to 90 cycles that processors take to divide 64 bits.
#pragma once

#include <cstdint>

namespace heddle {

class Divisor {
 public:
  /// `divisor` is not 0.
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
  /// The quotient, or one less: the reciprocal lacks less than divisor / 2^64 of being exact.
  [[nodiscard]] constexpr std::uint64_t estimate(std::uint64_t number) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{number} * reciprocal_ >> 64);
  }

  std::uint64_t divisor_;
  std::uint64_t reciprocal_;  // of 2^64 - 1, rounded down
};

}  // namespace heddle
