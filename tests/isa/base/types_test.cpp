#include "isa/base/types.h"

#include <random>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/base/lane_addresses.h"
#include "tests/support/catch.h"

namespace heddle {
namespace {

TEST_CASE("the first lanes of a mask") {
  CHECK(first_lanes(0) == 0);
  CHECK(first_lanes(1) == 1);
  CHECK(first_lanes(32) == 0xffffffff);
  CHECK(first_lanes(63) == ~LaneMask{0} >> 1);
  CHECK(first_lanes(64) == ~LaneMask{0});
  for (unsigned lanes = 0; lanes <= 64; ++lanes) CHECK(lane_count(first_lanes(lanes)) == lanes);
}

TEST_CASE("lanes are counted and visited lowest first") {
  constexpr std::uint64_t kSeed = 5;
  CAPTURE(kSeed);
  std::mt19937_64 bits(kSeed);
  for (unsigned round = 0; round < 2'000; ++round) {
    LaneMask mask = bits();
    if (round % 3 == 0) mask &= bits();
    if (round % 5 == 0) mask &= 1;
    std::vector<unsigned> expected;
    for (unsigned lane = 0; lane < 64; ++lane) {
      if ((mask >> lane & 1) != 0) expected.push_back(lane);
    }
    std::vector<unsigned> visited;
    for_each_lane(mask, [&](unsigned lane) { visited.push_back(lane); });
    REQUIRE(visited == expected);
    REQUIRE(lane_count(mask) == expected.size());
    if (mask != 0) REQUIRE(first_lane(mask) == expected.front());
  }
}

TEST_CASE("division and rounding go up") {
  CHECK(divide_up(0, 32) == 0);
  CHECK(divide_up(1, 32) == 1);
  CHECK(divide_up(32, 32) == 1);
  CHECK(divide_up(33, 32) == 2);
  CHECK(round_up(0, 256) == 0);
  CHECK(round_up(1, 256) == 256);
  CHECK(round_up(256, 256) == 256);
  CHECK(round_up(7, 3) == 9);
}

TEST_CASE("positions count x first, then y, then z, and back") {
  const Dim3 extents{5, 3, 4};
  CHECK(extents.count() == 60);
  std::uint64_t linear = 0;
  for (std::uint32_t z = 0; z < 4; ++z) {
    for (std::uint32_t y = 0; y < 3; ++y) {
      for (std::uint32_t x = 0; x < 5; ++x) CHECK(extents.position_of(linear++) == Dim3{x, y, z});
    }
  }
  const Dim3 greatest{0x7fffffff, 65535, 65535};
  CHECK(greatest.position_of(greatest.count() - 1) == Dim3{0x7ffffffe, 65534, 65534});
  CHECK(Dim3{}.count() == 1);
}

TEST_CASE("neighbouring lanes with neighbouring elements are consecutive") {
  Addr addresses[64];
  for (unsigned lane = 0; lane < 64; ++lane) addresses[lane] = 0x1000 + 8 * lane;
  CHECK(are_consecutive(addresses, ~LaneMask{0}, 8));
  CHECK(are_consecutive(addresses, 0xff00, 8));
  CHECK(are_consecutive(addresses, 0x8000000000000000, 8));
  CHECK_FALSE(are_consecutive(addresses, ~LaneMask{0}, 4));
  CHECK_FALSE(are_consecutive(addresses, 0xff01, 8));
  CHECK_FALSE(are_consecutive(addresses, 0, 8));
  addresses[5] = 0;  // counts only where the lane takes part
  CHECK_FALSE(are_consecutive(addresses, 0xff, 8));
  CHECK(are_consecutive(addresses, 0xffc0, 8));
}

}  // namespace
}  // namespace heddle
