// Random operand values in which the awkward ones are frequent: zeros, infinities, NaNs, denormals, ends of
// ranges, halves, small numbers. The same seed gives the same values everywhere.
#pragma once

#include <cstdint>
#include <random>

#include "tests/support/lane_harness.h"

namespace heddle::test {

class LaneValues {
 public:
  explicit LaneValues(std::uint64_t seed) : bits_(seed) {}

  /// 0 to end - 1.
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(bits_() % end); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  std::uint32_t any_bits() { return static_cast<std::uint32_t>(bits_() >> 32); }

  /// A value of any of the kinds above.
  std::uint32_t word();

  /// `registers` rows of words; sometimes a row repeats the one before it, or has its sign turned.
  LaneInputs inputs(unsigned registers, std::size_t threads);

 private:
  std::uint32_t special();
  std::uint32_t near_integer();

  std::mt19937_64 bits_;
};

}  // namespace heddle::test
