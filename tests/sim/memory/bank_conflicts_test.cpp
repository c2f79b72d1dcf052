#include "sim/memory/bank_conflicts.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

using Addresses = std::array<Addr, kMaxWarpSize>;

/// The most distinct words of one bank, by writing down every word.
unsigned by_words(const Addresses& addresses, LaneMask mask, std::uint32_t bytes,
                  const SharedMemorySpec& spec) {
  std::vector<std::set<Addr>> words(spec.banks);
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (Addr byte = addresses[lane]; byte < addresses[lane] + bytes; ++byte) {
      const Addr word = byte / spec.bank_bytes;
      words[word % spec.banks].insert(word);
    }
  }
  std::size_t most = 1;
  for (const std::set<Addr>& bank : words) most = std::max(most, bank.size());
  return static_cast<unsigned>(most);
}

Addresses strided(Addr start, std::uint64_t stride_bytes) {
  Addresses addresses;
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) addresses[lane] = start + lane * stride_bytes;
  return addresses;
}

constexpr SharedMemorySpec kBanks;

TEST_CASE("a stride of s words takes gcd(s, 32) passes") {
  for (unsigned stride = 1; stride <= 130; ++stride) {
    INFO("stride " << stride);
    CHECK(bank_passes(lane_access(strided(0, 4 * stride).data(), first_lanes(32), 4), kBanks) ==
          std::gcd(stride, 32U));
    CHECK(bank_passes(lane_access(strided(4 * 77, 4 * stride).data(), first_lanes(32), 4), kBanks) ==
          std::gcd(stride, 32U));
  }
}

TEST_CASE("a broadcast takes one pass, and so does no lane at all") {
  CHECK(bank_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 4), kBanks) == 1);
  CHECK(bank_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 8), kBanks) == 1);
  CHECK(bank_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 16), kBanks) == 1);
  CHECK(bank_passes(lane_access(strided(0, 128).data(), 0, 4), kBanks) == 1);
}

TEST_CASE("consecutive elements of 4, 8 and 16 bytes take 1, 2 and 4 passes") {
  CHECK(bank_passes(lane_access(strided(0, 4).data(), first_lanes(32), 4), kBanks) == 1);
  CHECK(bank_passes(lane_access(strided(64, 8).data(), first_lanes(32), 8), kBanks) == 2);
  CHECK(bank_passes(lane_access(strided(64, 16).data(), first_lanes(32), 16), kBanks) == 4);
  CHECK(bank_passes(lane_access(strided(64, 4).data(), first_lanes(64), 4), kBanks) == 2);
}

TEST_CASE("a column of a tile of 32 takes 32 passes, of a padded one of 33 one pass") {
  CHECK(bank_passes(lane_access(strided(4 * 5, 32 * 4).data(), first_lanes(32), 4), kBanks) == 32);
  CHECK(bank_passes(lane_access(strided(4 * 5, 33 * 4).data(), first_lanes(32), 4), kBanks) == 1);
}

TEST_CASE("k lanes on k words of a bank take k passes, wherever the others are") {
  for (unsigned k = 1; k <= 32; ++k) {
    Addresses addresses = strided(0, 4);
    for (unsigned lane = 0; lane < k; ++lane) addresses[lane] = 4 * 31 + lane * 128;
    // Lane 31's own word is word 31, which is lane 0's, too.
    CHECK(bank_passes(lane_access(addresses.data(), first_lanes(32), 4), kBanks) == k);
  }
}

TEST_CASE("random accesses take as many passes as the busiest bank has words") {
  std::mt19937_64 random(42);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t bytes = 4U << below(3);
    const std::uint64_t elements = std::uint64_t{1} << below(14);
    Addresses addresses;
    for (Addr& address : addresses) address = below(elements) * bytes;
    const LaneMask mask = below(3) == 0 ? first_lanes(32) : random();
    INFO("round " << round << ", " << bytes << " bytes, mask " << mask);
    CHECK(bank_passes(lane_access(addresses.data(), mask, bytes), kBanks) ==
          by_words(addresses, mask, bytes, kBanks));
  }
}

TEST_CASE("banks may be few or many, narrow or wide") {
  std::mt19937_64 random(43);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 4000; ++round) {
    SharedMemorySpec spec;
    spec.banks = 1U << below(11);      // what a GPU file may say: 1 to 1024
    spec.bank_bytes = 1U << below(7);  // and 1 to 64
    const std::uint32_t bytes = 4U << below(3);
    const std::uint64_t elements = std::uint64_t{1} << below(14);
    Addresses addresses = strided(below(64) * bytes, bytes * below(4));
    if (below(2) == 0) {
      for (Addr& address : addresses) address = below(elements) * bytes;
    }
    const LaneMask mask = below(2) == 0 ? first_lanes(32) : random();
    INFO("round " << round << ": " << spec.banks << " banks of " << spec.bank_bytes << ", " << bytes
                  << " bytes");
    CHECK(bank_passes(lane_access(addresses.data(), mask, bytes), spec) ==
          by_words(addresses, mask, bytes, spec));
  }
}

}  // namespace
}  // namespace heddle::sim
