#include "tests/support/lane_values.h"

#include <array>
#include <bit>

namespace heddle::test {

namespace {

constexpr std::array<std::uint32_t, 32> kSpecial = {
    0x00000000, 0x80000000,                          // zeros; the least signed integer
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff,  // denormals; 1
    0x00800000, 0x80800000,                          // the least normal floats
    0x7f7fffff, 0xff7fffff,                          // the greatest floats
    0x7f800000, 0xff800000,                          // infinities
    0x7fc00000, 0xffc00000, 0x7fffffff, 0xffffffff,  // quiet NaNs; the greatest signed integer; -1
    0x7f800001, 0xff800001, 0x7fbfffff,              // signalling NaNs
    0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000,  // 1.0, 0.5
    0x3effffff, 0x3f7fffff, 0x3f800001,              // their neighbours
    0x4b000000, 0x4b7fffff,                          // from 2^23 on floats are integers
    0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000,  // around 2^31 and 2^32
};

}  // namespace

std::uint32_t LaneValues::special() { return kSpecial[below(kSpecial.size())]; }

/// A float at, or a little beside, a small integer or half.
std::uint32_t LaneValues::near_integer() {
  const float halves = static_cast<float>(below(4096)) / 2 - 1024;
  return std::bit_cast<std::uint32_t>(halves) + below(3) - 1;
}

std::uint32_t LaneValues::word() {
  switch (below(8)) {
    case 0:
      return special();
    case 1:
      return below(130);
    case 2:
      return 0U - below(130);
    case 3:
      return near_integer();
    case 4:
      return (0x3f800000U + ((below(64) - 32) << 23)) ^ (any_bits() & 0x807fffffU);  // about 2^-32 to 2^32
    case 5:
      return any_bits() & 0x80ffffffU;  // small or denormal
    default:
      return any_bits();
  }
}

LaneInputs LaneValues::inputs(unsigned registers, std::size_t threads) {
  LaneInputs made;
  made.registers.assign(registers, Row(threads));
  made.predicates.resize(threads);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    for (unsigned r = 0; r < registers; ++r) {
      std::uint32_t value = word();
      if (r > 0 && one_in(8)) value = made.registers[r - 1][thread] ^ (one_in(2) ? 0x80000000U : 0U);
      made.registers[r][thread] = value;
    }
    made.predicates[thread] = below(128);
  }
  for (unsigned i = 0; i < 16; ++i) made.constants.push_back(word());
  return made;
}

}  // namespace heddle::test
