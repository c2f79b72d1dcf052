#include "sim/memory/coalescer.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

constexpr LineGeometry kLines{128, 32};

using Addresses = std::array<Addr, kMaxWarpSize>;

/// Every byte by itself: line address to the set of its sectors.
std::map<Addr, std::uint32_t> by_bytes(const Addresses& addresses, LaneMask mask, std::uint32_t bytes,
                                       const LineGeometry& geometry) {
  std::map<Addr, std::uint32_t> lines;
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (Addr byte = addresses[lane]; byte < addresses[lane] + bytes; ++byte) {
      lines[byte / geometry.line_bytes * geometry.line_bytes] |=
          1U << byte % geometry.line_bytes / geometry.sector_bytes;
    }
  }
  return lines;
}

LineAccesses coalesced(const Addresses& addresses, LaneMask mask, std::uint32_t bytes,
                       const LineGeometry& geometry) {
  LineAccesses result;
  coalesce(lane_access(addresses.data(), mask, bytes), geometry, result);
  return result;
}

unsigned sectors_of(const LineAccesses& accesses) {
  unsigned sectors = 0;
  for (const LineAccess& access : accesses.list()) sectors += bit_count(access.sectors);
  return sectors;
}

/// Every byte by itself, likewise: line address to the set of its sectors whose bytes are all named.
std::map<Addr, std::uint32_t> whole_by_bytes(const Addresses& addresses, LaneMask mask, std::uint32_t bytes,
                                             const LineGeometry& geometry) {
  std::map<Addr, std::set<Addr>> sectors;
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (Addr byte = addresses[lane]; byte < addresses[lane] + bytes; ++byte)
      sectors[byte / geometry.sector_bytes].insert(byte);
  }
  std::map<Addr, std::uint32_t> lines;
  for (const auto& [sector, named] : sectors) {
    if (named.size() != geometry.sector_bytes) continue;
    const Addr first = sector * geometry.sector_bytes;
    lines[first / geometry.line_bytes * geometry.line_bytes] |=
        1U << first % geometry.line_bytes / geometry.sector_bytes;
  }
  return lines;
}

/// The same lines with the same sectors, each line once.
void check_against_bytes(const Addresses& addresses, LaneMask mask, std::uint32_t bytes,
                         const LineGeometry& geometry) {
  const LineAccesses result = coalesced(addresses, mask, bytes, geometry);
  const auto expected = by_bytes(addresses, mask, bytes, geometry);
  std::map<Addr, std::uint32_t> found;
  for (const LineAccess& access : result.list()) found[access.line] |= access.sectors;
  CHECK(found == expected);
  CHECK(result.size() == expected.size());
}

Addresses strided(Addr start, std::uint64_t stride_bytes) {
  Addresses addresses;
  for (unsigned lane = 0; lane < kMaxWarpSize; ++lane) addresses[lane] = start + lane * stride_bytes;
  return addresses;
}

TEST_CASE("at every stride a warp touches the sectors and lines that its bytes lie in") {
  for (const std::uint32_t bytes : {4U, 8U, 16U}) {
    for (unsigned stride = 0; stride <= 33; ++stride) {
      for (const LaneMask mask : {first_lanes(32), first_lanes(16), first_lanes(64), first_lanes(32) << 16}) {
        INFO(bytes << " bytes, stride " << stride);
        check_against_bytes(strided(0x7f0000000000, std::uint64_t{stride} * bytes), mask, bytes, kLines);
        check_against_bytes(strided(0x1000 + 7 * bytes, std::uint64_t{stride} * bytes), mask, bytes, kLines);
      }
    }
  }
}

TEST_CASE("32 aligned lanes touch 32 x bytes x stride / 32 sectors until each lane has its own") {
  // bytes x stride below 32: the warp covers 32 x bytes x stride bytes without a gap of a whole sector.
  for (const std::uint32_t bytes : {4U, 8U, 16U}) {
    for (unsigned stride = 1; stride <= 33; ++stride) {
      const unsigned pitch = bytes * stride;
      const unsigned expected = pitch >= 32 ? 32 : (31 * pitch + bytes + 31) / 32;
      INFO(bytes << " bytes, stride " << stride);
      CHECK(sectors_of(coalesced(strided(0, pitch), first_lanes(32), bytes, kLines)) == expected);
    }
  }
}

TEST_CASE("a coalesced warp of floats is one line, of doubles two, of 16-byte elements four") {
  CHECK(coalesced(strided(256, 4), first_lanes(32), 4, kLines).size() == 1);
  CHECK(coalesced(strided(256, 8), first_lanes(32), 8, kLines).size() == 2);
  CHECK(coalesced(strided(256, 16), first_lanes(32), 16, kLines).size() == 4);
}

TEST_CASE("lanes that reach into the next line, as a trace may say, touch that one, too") {
  const LineGeometry geometry{128, 32};
  for (const std::uint64_t stride : {0U, 4U, 128U}) {
    for (const std::uint32_t bytes : {2U, 4U, 16U}) {
      check_against_bytes(strided(127, stride), first_lanes(32), bytes, geometry);
    }
  }
}

TEST_CASE("no lanes touch nothing, and lanes that are off count for nothing") {
  CHECK(coalesced(strided(0, 4), 0, 4, kLines).size() == 0);
  Addresses addresses = strided(0, 4);
  addresses[5] = 0xdead00000000;
  CHECK(coalesced(addresses, first_lanes(32) & ~LaneMask{1 << 5}, 4, kLines).size() == 1);
}

TEST_CASE("lines come in the order in which lanes first name them") {
  Addresses addresses{};
  const Addr order[] = {0x400, 0x080, 0x404, 0x300, 0x080, 0x000};
  std::copy(std::begin(order), std::end(order), addresses.begin());
  const LineAccesses result = coalesced(addresses, first_lanes(6), 4, kLines);
  std::vector<Addr> lines;
  for (const LineAccess& access : result.list()) lines.push_back(access.line);
  CHECK(lines == std::vector<Addr>{0x400, 0x080, 0x300, 0x000});
}

TEST_CASE("random accesses touch what their bytes lie in, whatever the geometry") {
  std::mt19937_64 random(20240601);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  unsigned filled = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t bytes = 1U << below(5);
    LineGeometry geometry;
    geometry.line_bytes = 32U << below(6);
    geometry.sector_bytes = std::min<std::uint32_t>(geometry.line_bytes, 32U << below(3));
    const std::uint64_t span = std::uint64_t{64} << below(12);
    Addresses addresses;
    for (Addr& address : addresses) address = 0x10000 + below(span) / bytes * bytes;
    if (below(2) == 0) std::sort(addresses.begin(), addresses.end());
    if (const unsigned width = 1U << below(6); below(2) == 0) {  // rows of neighbours
      for (unsigned lane = 0; lane < kMaxWarpSize; ++lane)
        if (lane % width != 0) addresses[lane] = addresses[lane - 1] + bytes;
    }
    const LaneMask mask = below(4) == 0 ? ~LaneMask{0} : random();
    INFO("round " << round);
    check_against_bytes(addresses, mask, bytes, geometry);
    const LineAccesses lines = coalesced(addresses, mask, bytes, geometry);
    std::array<std::uint32_t, kMaxWarpSize> whole;
    const bool are_some =
        find_whole_sectors(lane_access(addresses.data(), mask, bytes), geometry, lines, whole);
    std::map<Addr, std::uint32_t> found;
    for (unsigned i = 0; i < lines.size(); ++i) {
      if (whole[i] != 0) found[lines[i].line] = whole[i];
    }
    CHECK(found == whole_by_bytes(addresses, mask, bytes, geometry));
    CHECK(are_some == !found.empty());
    filled += are_some ? 1 : 0;
  }
  CHECK((filled > 100 && filled < 2900));
}

}  // namespace
}  // namespace heddle::sim
