// How lanes of an atomic come together, counted in the plainest way beside what is counted.
#include <algorithm>
#include <map>
#include <random>

#include "sim/memory/bank_conflicts.h"
#include "sim/memory/coalescer.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

struct Lanes {
  std::vector<Addr> addresses;
  LaneMask mask = 0;
};

Lanes random_lanes(std::mt19937_64& random, unsigned bytes) {
  Lanes lanes;
  const std::uint64_t span = 1 + random() % (random() % 2 == 0 ? 4 : 400);
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane)
    lanes.addresses.push_back(0x1000 + random() % span * bytes);
  lanes.mask = random();
  if (random() % 3 == 0) lanes.mask &= random() & random();
  return lanes;
}

TEST_CASE(
    "each line of an atomic knows the most lanes that name one of its addresses, and how many they name") {
  std::mt19937_64 random(11);
  const LineGeometry geometry{128, 32};
  for (unsigned round = 0; round < 2000; ++round) {
    const unsigned bytes = random() % 2 == 0 ? 4 : 8;
    const Lanes lanes = random_lanes(random, bytes);
    std::map<Addr, std::map<Addr, std::uint32_t>> counted;
    for_each_lane(lanes.mask, [&](unsigned lane) {
      ++counted[lanes.addresses[lane] / 128 * 128][lanes.addresses[lane]];
    });
    LineAccesses lines;
    coalesce(lane_access(lanes.addresses.data(), lanes.mask, bytes), geometry, lines);
    count_atomic_lanes(lane_access(lanes.addresses.data(), lanes.mask, bytes), geometry, lines);
    REQUIRE(lines.size() == counted.size());
    for (const LineAccess& access : lines.list()) {
      std::uint32_t most = 0;
      for (const auto& [address, count] : counted[access.line]) most = std::max(most, count);
      REQUIRE(access.atomic_lanes == most);
      REQUIRE(access.atomic_addresses == counted[access.line].size());
    }
  }
}

TEST_CASE("an atomic passes the banks once for each lane's word in the fullest one") {
  std::mt19937_64 random(12);
  const SharedMemorySpec spec{32, 4, 2};
  for (unsigned round = 0; round < 2000; ++round) {
    const unsigned bytes = random() % 2 == 0 ? 4 : 8;
    const Lanes lanes = random_lanes(random, bytes);
    std::map<Addr, unsigned> in_bank;
    unsigned most = 1;
    for_each_lane(lanes.mask, [&](unsigned lane) {
      for (unsigned at = 0; at < bytes; at += 4)
        most = std::max(most, ++in_bank[(lanes.addresses[lane] + at) / 4 % 32]);
    });
    REQUIRE(atomic_passes(lane_access(lanes.addresses.data(), lanes.mask, bytes), spec).all == most);
    if (bytes == 4)
      REQUIRE(bank_passes(lane_access(lanes.addresses.data(), lanes.mask, bytes), spec).all <= most);
  }
}

}  // namespace
}  // namespace heddle::sim
