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

/// Passes of lanes that all keep to banks of their own: as many bytes a pass as the banks have.
unsigned side_by_side(LaneMask mask, std::uint32_t bytes, const SharedMemorySpec& spec) {
  const std::uint64_t row = std::uint64_t{spec.banks} * spec.bank_bytes;
  const std::uint64_t all = std::uint64_t{lane_count(mask)} * bytes;
  return static_cast<unsigned>(all / row + (all % row == 0 ? 0 : 1));
}

/// Whether lanes i and i ^ distance name one address, wherever both are there.
bool in_pairs(const Addresses& addresses, LaneMask mask, unsigned distance) {
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) {
    const bool both = (mask >> lane & 1) != 0 && (mask >> (lane ^ distance) & 1) != 0;
    if (both && addresses[lane] != addresses[lane ^ distance]) return false;
  }
  return true;
}

/// Request after request, as NVIDIA describes them: elements wider than a bank come for as many lanes at a
/// time as fill all banks, for twice as many if pairs of neighbours, or of next but one, name one address and
/// may be joined.
unsigned by_requests(const Addresses& addresses, LaneMask mask, std::uint32_t bytes,
                     const SharedMemorySpec& spec, bool may_join = true) {
  if (bytes <= spec.bank_bytes) return by_words(addresses, mask, bytes, spec);
  std::uint32_t lanes = std::max(1U, spec.banks * spec.bank_bytes / bytes);
  if (may_join && (in_pairs(addresses, mask, 1) || in_pairs(addresses, mask, 2))) lanes *= 2;
  std::vector<LaneMask> requests(kMaxWarpSize);
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) requests[lane / lanes] |= mask & LaneMask{1} << lane;
  unsigned passes = 0;
  for (const LaneMask request : requests)
    if (request != 0) passes += by_words(addresses, request, bytes, spec);
  return std::max(1U, passes);
}

Addresses strided(Addr start, std::uint64_t stride_bytes) {
  Addresses addresses;
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) addresses[lane] = start + lane * stride_bytes;
  return addresses;
}

constexpr SharedMemorySpec kBanks{32, 4, 2};

TEST_CASE("a stride of s words takes gcd(s, 32) passes") {
  for (unsigned stride = 1; stride <= 130; ++stride) {
    INFO("stride " << stride);
    CHECK(bank_passes(lane_access(strided(0, 4 * stride).data(), first_lanes(32), 4), kBanks).all ==
          std::gcd(stride, 32U));
    CHECK(bank_passes(lane_access(strided(4 * 77, 4 * stride).data(), first_lanes(32), 4), kBanks).all ==
          std::gcd(stride, 32U));
  }
}

TEST_CASE("passes are for conflicts where lanes in banks of their own would not take them") {
  const auto conflicts = [](const Addresses& addresses, LaneMask mask, std::uint32_t bytes) {
    return bank_passes(lane_access(addresses.data(), mask, bytes), kBanks).for_conflicts;
  };
  for (unsigned stride = 1; stride <= 64; ++stride) {
    INFO("stride " << stride);
    CHECK(conflicts(strided(0, 4 * stride), first_lanes(32), 4) == std::gcd(stride, 32U) - 1);
    // Half a warp a request: each of 16 lanes has two banks, so that gcd(stride, 16) share a pair.
    CHECK(conflicts(strided(0, 8 * stride), first_lanes(32), 8) == 2 * (std::gcd(stride, 16U) - 1));
    CHECK(conflicts(strided(0, 16 * stride), first_lanes(32), 16) == 4 * (std::gcd(stride, 8U) - 1));
  }
  CHECK(conflicts(strided(64, 4), first_lanes(64), 4) == 0);  // two rows of the banks
  CHECK(conflicts(strided(0x40, 0), first_lanes(32), 16) == 0);
  CHECK(conflicts(strided(0, 128), 0, 4) == 0);
  CHECK(conflicts(strided(0, 8), 0x00ff00ff, 8) == 0);  // lanes of each half: two requests
}

TEST_CASE("pairs that share a request of wide elements are in conflict where the pairs are") {
  Addresses pairs;  // of 16 bytes, 8 pairs a request, all of them in the first four banks
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) pairs[lane] = Addr{lane / 2} * 128;
  const BankPasses passes = bank_passes(lane_access(pairs.data(), first_lanes(32), 16), kBanks);
  CHECK(passes.all == 16);
  CHECK(passes.for_conflicts == 14);
}

TEST_CASE("matrices are in conflict where their rows are, and turns of atomics where lanes are") {
  const auto matrices = [](std::uint64_t pitch) {
    return matrix_passes(lane_access(strided(0, pitch).data(), first_lanes(32), 16), 4, kBanks);
  };
  CHECK(matrices(16).all == 4);
  CHECK(matrices(16).for_conflicts == 0);
  CHECK(matrices(128).all == 32);
  CHECK(matrices(128).for_conflicts == 28);
  const auto turns = [](std::uint64_t stride) {
    return atomic_passes(lane_access(strided(0, stride).data(), first_lanes(32), 4), kBanks);
  };
  CHECK(turns(4).for_conflicts == 0);
  CHECK(turns(8).for_conflicts == 1);
  CHECK(turns(0).all == 32);
  CHECK(turns(0).for_conflicts == 31);
}

TEST_CASE("a broadcast takes one pass, of 16 bytes two, and no lane at all takes one") {
  CHECK(bank_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 4), kBanks).all == 1);
  CHECK(bank_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 8), kBanks).all == 1);
  CHECK(bank_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 16), kBanks).all == 2);
  CHECK(bank_passes(lane_access(strided(0, 128).data(), 0, 4), kBanks).all == 1);
}

TEST_CASE("a broadcast from the cache takes as many passes as there are requests") {
  CHECK(cache_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 4), kBanks) == 1);
  CHECK(cache_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 8), kBanks) == 2);
  CHECK(cache_passes(lane_access(strided(0x40, 0).data(), first_lanes(32), 16), kBanks) == 4);
  CHECK(cache_passes(lane_access(strided(0x40, 0).data(), first_lanes(9), 16), kBanks) == 2);
  CHECK(cache_passes(lane_access(strided(0, 128).data(), 0, 4), kBanks) == 1);
}

TEST_CASE("consecutive elements of 4, 8 and 16 bytes take 1, 2 and 4 passes") {
  CHECK(bank_passes(lane_access(strided(0, 4).data(), first_lanes(32), 4), kBanks).all == 1);
  CHECK(bank_passes(lane_access(strided(64, 8).data(), first_lanes(32), 8), kBanks).all == 2);
  CHECK(bank_passes(lane_access(strided(64, 16).data(), first_lanes(32), 16), kBanks).all == 4);
  CHECK(bank_passes(lane_access(strided(64, 4).data(), first_lanes(64), 4), kBanks).all == 2);
}

/// Passes of a full warp, lane i of which names element `index(i)`.
template <typename Index>
unsigned passes_of(std::uint32_t bytes, Index index) {
  Addresses addresses{};
  for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = Addr{bytes} * index(lane);
  return bank_passes(lane_access(addresses.data(), first_lanes(32), bytes), kBanks).all;
}

TEST_CASE("pairs of lanes on one address halve the requests of wide elements") {
  const auto neighbours = [](unsigned lane) { return lane / 2; };
  const auto next_but_one = [](unsigned lane) { return lane / 4 * 2 + lane % 2; };
  CHECK(passes_of(16, neighbours) == 2);
  CHECK(passes_of(16, next_but_one) == 2);
  CHECK(passes_of(8, neighbours) == 1);
  CHECK(passes_of(8, next_but_one) == 1);
}

TEST_CASE("lanes further apart that name one address halve nothing") {
  CHECK(passes_of(16, [](unsigned lane) { return lane / 8 * 4 + lane % 4; }) == 4);
  CHECK(passes_of(16, [](unsigned lane) { return lane % 8; }) == 4);
  CHECK(passes_of(8, [](unsigned lane) { return lane % 16; }) == 2);
}

TEST_CASE("the conflicts of a wide access are those within its requests") {
  // Eight lanes fill the banks; those of each quarter name the same banks as the other quarters', of other
  // rows.
  CHECK(passes_of(16, [](unsigned lane) { return lane / 8 * 800 + lane % 8; }) == 4);
  // Half a warp in its own bank each: one pass for each of 16 lanes, and again for the other half.
  CHECK(passes_of(8, [](unsigned lane) { return lane % 16 * 16 + lane / 16; }) == 32);
  // What one quarter, and one half, asks for fills the banks once.
  for (const unsigned first : {0U, 8U, 16U, 24U})
    CHECK(bank_passes(lane_access(strided(0, 16).data(), first_lanes(8) << first, 16), kBanks).all == 1);
  CHECK(bank_passes(lane_access(strided(0, 16).data(), first_lanes(8) << 4, 16), kBanks).all == 2);
  CHECK(bank_passes(lane_access(strided(0, 8).data(), first_lanes(16) << 16, 8), kBanks).all == 1);
}

TEST_CASE("a column of a tile of 32 takes 32 passes, of a padded one of 33 one pass") {
  CHECK(bank_passes(lane_access(strided(4 * 5, 32 * 4).data(), first_lanes(32), 4), kBanks).all == 32);
  CHECK(bank_passes(lane_access(strided(4 * 5, 33 * 4).data(), first_lanes(32), 4), kBanks).all == 1);
}

TEST_CASE("k lanes on k words of a bank take k passes, wherever the others are") {
  for (unsigned k = 1; k <= 32; ++k) {
    Addresses addresses = strided(0, 4);
    for (unsigned lane = 0; lane < k; ++lane) addresses[lane] = 4 * 31 + lane * 128;
    // Lane 31's own word is word 31, which is lane 0's, too.
    CHECK(bank_passes(lane_access(addresses.data(), first_lanes(32), 4), kBanks).all == k);
  }
}

TEST_CASE("random accesses take as many passes as the busiest bank of each request has words") {
  std::mt19937_64 random(42);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t bytes = 4U << below(3);
    const std::uint64_t elements = std::uint64_t{1} << below(14);
    Addresses addresses;
    for (Addr& address : addresses) address = below(elements) * bytes;
    if (const std::uint64_t kind = below(3); kind != 0) {  // pairs, of which some may break out
      for (unsigned lane = 0; lane < kMaxWarpSize; ++lane)
        if (below(40) != 0) addresses[lane] = addresses[lane & ~kind];
    }
    const LaneMask mask = below(3) == 0 ? first_lanes(32) : random();
    INFO("round " << round << ", " << bytes << " bytes, mask " << mask);
    CHECK(bank_passes(lane_access(addresses.data(), mask, bytes), kBanks).all ==
          by_requests(addresses, mask, bytes, kBanks));
    CHECK(cache_passes(lane_access(addresses.data(), mask, bytes), kBanks) ==
          by_requests(addresses, mask, bytes, kBanks, false));
  }
}

TEST_CASE("an access whose shape comes again takes the passes that it takes by itself, wherever it begins") {
  constexpr std::uint64_t kSeed = 43;
  std::mt19937_64 random(kSeed);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  for (const std::uint32_t bank_bytes : {4U, 8U}) {
    SharedMemorySpec spec = kBanks;
    spec.bank_bytes = bank_bytes;
    PassesOfShapes passes;
    for (std::uint64_t shape = 0; shape < 500; ++shape) {
      const std::uint32_t bytes = 1U << below(5);
      const LaneMask mask = below(3) == 0 ? first_lanes(32) : random() | 1;
      Addresses addresses;
      for (Addr& address : addresses) address = below(64) * bytes;
      for (int round = 0; round < 5; ++round) {
        INFO("seed " << kSeed << ", shape " << shape << ", round " << round << ", " << bytes
                     << " bytes, banks of " << bank_bytes);
        CHECK(passes.of(shape, lane_access(addresses.data(), mask, bytes), spec).all ==
              by_requests(addresses, mask, bytes, spec));
        const Addr way = below(100) * bytes;
        for (Addr& address : addresses) address += way;
      }
    }
  }
}

TEST_CASE("two rows of a tile of 16 share no bank where half a row of the banks is between them") {
  for (unsigned pitch = 16; pitch <= 200; ++pitch) {
    INFO("pitch " << pitch);
    const auto in_tile = [pitch](unsigned lane) { return lane / 16 * pitch + lane % 16; };
    CHECK(passes_of(4, in_tile) == (pitch % 32 == 16 ? 1 : 2));
  }
}

TEST_CASE("rows of a tile take as many passes as the busiest bank has words") {
  std::mt19937_64 random(44);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 4000; ++round) {
    SharedMemorySpec spec = kBanks;
    spec.banks = 8U << below(5);
    const std::uint32_t bytes = 1U << below(5);
    const unsigned width = 1U << below(7);
    const std::uint64_t elements = std::uint64_t{64} << below(8);
    const unsigned stands = below(4) == 0 ? 0 : 1;  // all lanes of a row name one element, or each its own
    Addresses addresses;
    for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) {
      const bool begins = lane % width == 0;
      addresses[lane] = begins ? below(elements) * bytes : addresses[lane - 1] + stands * bytes;
    }
    const LaneMask mask = below(3) == 0 ? random() : first_lanes(32);
    INFO("round " << round << ": " << spec.banks << " banks, rows of " << width << ", " << bytes << " bytes");
    CHECK(bank_passes(lane_access(addresses.data(), mask, bytes), spec).all ==
          by_requests(addresses, mask, bytes, spec));
  }
}

TEST_CASE("banks may be few or many, narrow or wide") {
  std::mt19937_64 random(43);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 4000; ++round) {
    SharedMemorySpec spec = kBanks;
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
    if (bytes <= spec.bank_bytes) {
      const BankPasses passes = bank_passes(lane_access(addresses.data(), mask, bytes), spec);
      CHECK(passes.for_conflicts ==
            passes.all - std::min(passes.all, std::max(1U, side_by_side(mask, bytes, spec))));
    }
    CHECK(bank_passes(lane_access(addresses.data(), mask, bytes), spec).all ==
          by_requests(addresses, mask, bytes, spec));
    CHECK(cache_passes(lane_access(addresses.data(), mask, bytes), spec) ==
          by_requests(addresses, mask, bytes, spec, false));
  }
}

}  // namespace
}  // namespace heddle::sim
