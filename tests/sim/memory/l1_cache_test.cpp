#include "sim/memory/l1_cache.h"

#include <algorithm>
#include <map>
#include <random>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

/// Two sets of two lines of four sectors; three requests in flight, two loads a request.
L1Spec small_spec() {
  L1Spec spec;
  spec.enabled = true;
  spec.line_bytes = 128;
  spec.sector_bytes = 32;
  spec.ways = 2;
  spec.miss_entries = 3;
  spec.miss_merges = 2;
  return spec;
}

constexpr std::uint64_t kBytes = 4 * 128;

struct Cache {
  explicit Cache(const L1Spec& spec = small_spec(), std::uint64_t bytes = kBytes) : l1(spec, bytes) {}

  L1Cache::Lookup load(Addr line, std::uint32_t sectors, LoadId id) {
    return l1.load({line, sectors}, id, counters);
  }
  void bring(Addr line, std::uint32_t sectors) {
    const L1Cache::Lookup lookup = load(line, sectors, 99);
    REQUIRE(lookup.request_sectors != 0);
    CHECK(l1.fill(lookup.request_entry) == std::vector<LoadId>{99});
  }

  L1Cache l1;
  MemoryCounters counters;
};

TEST_CASE("a first load asks for its sectors, and the fill names it") {
  Cache cache;
  const L1Cache::Lookup lookup = cache.load(0x1000, 0b0101, 7);
  CHECK_FALSE(lookup.refused);
  CHECK(lookup.waits == 1);
  CHECK(lookup.request_sectors == 0b0101);
  CHECK(cache.l1.fill(lookup.request_entry) == std::vector<LoadId>{7});
  CHECK(cache.counters.l1_miss_sectors == 2);
}

TEST_CASE("what has been filled is a hit, and nothing else is") {
  Cache cache;
  cache.bring(0x1000, 0b0011);
  const L1Cache::Lookup hit = cache.load(0x1000, 0b0001, 1);
  CHECK(hit.waits == 0);
  CHECK(hit.request_sectors == 0);
  CHECK(cache.counters.l1_hit_sectors == 1);
  const L1Cache::Lookup partial = cache.load(0x1000, 0b0110, 2);
  CHECK(partial.waits == 1);
  CHECK(partial.request_sectors == 0b0100);
  CHECK(cache.counters.l1_hit_sectors == 2);
  CHECK(cache.counters.l1_miss_sectors == 2 + 1);
}

TEST_CASE("what is stored is there for loads where stores allocate, and only there") {
  for (const bool allocates : {false, true}) {
    L1Spec spec = small_spec();
    spec.write_allocate = allocates;
    Cache cache(spec);
    cache.l1.store(0x1000, 0b0110);
    const L1Cache::Lookup lookup = cache.load(0x1000, 0b0111, 1);
    CHECK(lookup.request_sectors == (allocates ? 0b0001U : 0b0111U));
    CHECK(cache.counters.l1_hit_sectors == (allocates ? 2U : 0U));
  }
}

TEST_CASE("lines that are stored displace others") {
  L1Spec spec = small_spec();
  spec.write_allocate = true;
  Cache cache(spec);
  cache.bring(0x1000, 0b0001);
  cache.l1.store(0x1100, 0b0001);  // of the same set
  cache.l1.store(0x1200, 0b0001);
  CHECK(cache.load(0x1000, 0b0001, 1).request_sectors == 0b0001);
  CHECK(cache.load(0x1200, 0b0001, 2).waits == 0);
}

TEST_CASE("what an atomic changes is there no more, nor does what was on its way bring it") {
  Cache cache;
  cache.bring(0x1000, 0b0011);
  cache.l1.drop({0x1000, 0b0001});
  CHECK(cache.load(0x1000, 0b0010, 1).waits == 0);
  const L1Cache::Lookup first = cache.load(0x1000, 0b1001, 2);
  CHECK(first.request_sectors == 0b1001);
  cache.l1.drop({0x1000, 0b0001});
  const L1Cache::Lookup second = cache.load(0x1000, 0b1001, 3);  // merges with the first for one sector only
  CHECK(second.request_sectors == 0b0001);
  CHECK(second.waits == 2);
  CHECK(cache.l1.fill(first.request_entry) == std::vector<LoadId>{2, 3});
  CHECK(cache.load(0x1000, 0b1000, 4).waits == 0);
  const L1Cache::Lookup third = cache.load(0x1000, 0b0001, 5);  // still on its way
  CHECK(third.request_sectors == 0);
  CHECK(third.waits == 1);
  CHECK(cache.l1.fill(second.request_entry) == std::vector<LoadId>{3, 5});
  CHECK(cache.load(0x1000, 0b0001, 6).waits == 0);
}

TEST_CASE("a cache that was emptied holds nothing, nor does what was on its way bring it") {
  L1Spec spec = small_spec();
  spec.write_allocate = true;
  spec.miss_entries = 5;
  Cache cache(spec);
  cache.bring(0x1000, 0b0011);
  cache.l1.store(0x1100, 0b0001);
  const L1Cache::Lookup under_way = cache.load(0x2000, 0b0001, 1);
  cache.l1.invalidate();
  CHECK(cache.load(0x1000, 0b0011, 2).request_sectors == 0b0011);
  CHECK(cache.load(0x1100, 0b0001, 3).request_sectors == 0b0001);
  const L1Cache::Lookup again = cache.load(0x2000, 0b0001, 4);
  CHECK(again.request_sectors == 0b0001);
  CHECK(again.waits == 1);
  CHECK(cache.l1.fill(under_way.request_entry) == std::vector<LoadId>{1});
  CHECK(cache.load(0x2000, 0b0001, 5).waits == 1);  // for the second request
  CHECK(cache.l1.fill(again.request_entry) == std::vector<LoadId>{4, 5});
  CHECK(cache.load(0x2000, 0b0001, 6).waits == 0);
  cache.l1.invalidate();
  CHECK(cache.load(0x2000, 0b0001, 7).request_sectors == 0b0001);
}

TEST_CASE("of another size it is empty, and what was on its way passes it by") {
  Cache cache;
  cache.bring(0x1000, 0b0011);
  const L1Cache::Lookup under_way = cache.load(0x2000, 0b0001, 1);
  cache.l1.resize(2 * kBytes);  // 4 sets
  CHECK(cache.l1.fill(under_way.request_entry) == std::vector<LoadId>{1});
  CHECK(cache.load(0x2000, 0b0001, 2).request_sectors == 0b0001);
  cache.bring(0x1000, 0b0001);
  cache.bring(0x1100, 0b0001);
  cache.bring(0x1200, 0b0001);  // three lines that shared a set of two
  for (const Addr line : {0x1000, 0x1100, 0x1200}) CHECK(cache.load(line, 0b0001, 3).waits == 0);
  cache.l1.resize(0);
  CHECK(cache.load(0x1000, 0b0001, 4).request_sectors == 0b0001);
}

TEST_CASE("a lookup that is refused is no use of the line that it finds") {
  Cache cache;
  cache.bring(0x1000, 0b0001);
  cache.bring(0x1100, 0b0001);  // of the same set; the other line is the one unused for longest
  const std::uint32_t third = cache.load(0x1200, 0b0001, 1).request_entry;  // of this set, too
  cache.load(0x2080, 0b0001, 2);
  cache.load(0x2180, 0b0001, 3);
  CHECK(cache.load(0x1000, 0b0011, 4).refused);  // all requests are under way
  CHECK(cache.l1.fill(third) == std::vector<LoadId>{1});
  CHECK(cache.load(0x1100, 0b0001, 5).waits == 0);
  CHECK(cache.load(0x1000, 0b0001, 6).request_sectors == 0b0001);
}

TEST_CASE("a lookup that is not refused is a use, though it finds only a part") {
  Cache cache;
  cache.bring(0x1000, 0b0001);
  cache.bring(0x1100, 0b0001);
  cache.load(0x1000, 0b0011, 1);
  cache.bring(0x1200, 0b0001);
  CHECK(cache.load(0x1000, 0b0001, 2).waits == 0);
  CHECK(cache.load(0x1100, 0b0001, 3).request_sectors == 0b0001);
}

TEST_CASE("a sector on its way is not asked for again: the second load merges") {
  Cache cache;
  const L1Cache::Lookup first = cache.load(0x1000, 0b0001, 1);
  const L1Cache::Lookup second = cache.load(0x1000, 0b0001, 2);
  CHECK(second.request_sectors == 0);
  CHECK(second.waits == 1);
  CHECK(cache.counters.l1_merged_sectors == 1);
  CHECK(cache.l1.fill(first.request_entry) == std::vector<LoadId>{1, 2});
}

TEST_CASE("a load may merge with one request and make another: it waits for both") {
  Cache cache;
  const L1Cache::Lookup first = cache.load(0x1000, 0b0001, 1);
  const L1Cache::Lookup second = cache.load(0x1000, 0b0011, 2);
  CHECK(second.request_sectors == 0b0010);
  CHECK(second.waits == 2);
  CHECK(cache.l1.fill(second.request_entry) == std::vector<LoadId>{2});
  CHECK(cache.l1.fill(first.request_entry) == std::vector<LoadId>{1, 2});
  CHECK(cache.load(0x1000, 0b0011, 3).waits == 0);
}

TEST_CASE("a load beyond the merges of a request is refused and leaves no trace") {
  Cache cache;
  const L1Cache::Lookup first = cache.load(0x1000, 0b0001, 1);
  cache.load(0x1000, 0b0001, 2);
  const MemoryCounters before = cache.counters;
  CHECK(cache.load(0x1000, 0b0001, 3).refused);
  CHECK(cache.load(0x1000, 0b0011, 4).refused);  // its other sector would have a place
  CHECK(cache.counters == before);
  CHECK(cache.l1.fill(first.request_entry) == std::vector<LoadId>{1, 2});
  CHECK(cache.load(0x1000, 0b0001, 3).waits == 0);
}

TEST_CASE("a load beyond the requests in flight is refused until one comes back") {
  Cache cache;
  const L1Cache::Lookup first = cache.load(0x0000, 1, 1);
  cache.load(0x1000, 1, 2);
  cache.load(0x2000, 1, 3);
  CHECK(cache.load(0x3000, 1, 4).refused);
  CHECK_FALSE(cache.load(0x1000, 1, 5).refused);  // a merge needs no request
  static_cast<void>(cache.l1.fill(first.request_entry));
  CHECK(cache.load(0x3000, 1, 4).request_sectors == 1);
}

TEST_CASE("the line least recently used makes room when a fill arrives") {
  Cache cache;  // lines 0x000, 0x100, 0x200 share a set of two
  cache.bring(0x000, 1);
  cache.bring(0x100, 1);
  CHECK(cache.load(0x000, 1, 1).waits == 0);
  cache.bring(0x200, 1);
  CHECK(cache.load(0x000, 1, 2).waits == 0);
  CHECK(cache.load(0x100, 1, 3).waits == 1);
}

TEST_CASE("without storage every load is a request of its own") {
  L1Spec spec = small_spec();
  spec.miss_entries = 8;
  for (const bool enabled : {false, true}) {
    spec.enabled = enabled;
    Cache cache(spec, enabled ? 0 : kBytes);
    for (LoadId load = 0; load < 4; ++load) {
      const L1Cache::Lookup lookup = cache.load(0x1000, 0b1111, load);
      CHECK(lookup.request_sectors == 0b1111);
      CHECK(lookup.waits == 1);
    }
    CHECK(cache.counters.l1_miss_sectors == 16);
  }
}

TEST_CASE("random loads and fills: every wait is answered once, and every sector is counted once") {
  std::mt19937_64 random(7);
  L1Spec spec = small_spec();
  spec.miss_entries = 4;
  Cache cache(spec);
  std::map<std::uint32_t, std::pair<Addr, std::uint32_t>> in_flight;  // entry to line and sectors
  std::map<LoadId, std::uint32_t> owed;
  std::uint64_t asked = 0;
  for (LoadId id = 0; id < 20000; ++id) {
    const bool fills = !in_flight.empty() && random() % 2 == 0;
    if (fills) {
      const auto chosen =
          std::next(in_flight.begin(), static_cast<std::ptrdiff_t>(random() % in_flight.size()));
      for (const LoadId load : cache.l1.fill(chosen->first)) REQUIRE(owed[load]-- > 0);
      in_flight.erase(chosen);
      continue;
    }
    const Addr line = random() % 8 * 128;
    const auto sectors = static_cast<std::uint32_t>(1 + random() % 15);
    const L1Cache::Lookup lookup = cache.load(line, sectors, id);
    if (lookup.refused) continue;
    asked += bit_count(sectors);
    owed[id] = lookup.waits;
    for (const auto& [entry, request] : in_flight) {  // nothing is asked for twice at once
      if (request.first == line) REQUIRE((request.second & lookup.request_sectors) == 0);
    }
    if (lookup.request_sectors != 0) {
      REQUIRE((lookup.request_sectors & ~sectors) == 0);
      REQUIRE(in_flight.emplace(lookup.request_entry, std::pair{line, lookup.request_sectors}).second);
      REQUIRE(in_flight.size() <= spec.miss_entries);
    }
  }
  while (!in_flight.empty()) {
    for (const LoadId load : cache.l1.fill(in_flight.begin()->first)) REQUIRE(owed[load]-- > 0);
    in_flight.erase(in_flight.begin());
  }
  CHECK(std::all_of(owed.begin(), owed.end(), [](const auto& load) { return load.second == 0; }));
  const MemoryCounters& counted = cache.counters;
  CHECK(counted.l1_hit_sectors + counted.l1_merged_sectors + counted.l1_miss_sectors == asked);
  CHECK(counted.l1_hit_sectors > 0);
  CHECK(counted.l1_merged_sectors > 0);
}

}  // namespace
}  // namespace heddle::sim
