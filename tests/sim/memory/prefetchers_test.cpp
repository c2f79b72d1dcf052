// Prefetchers against models by the book, and what becomes of what they fetch.
#include <fmt/format.h>

#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "sim/memory/policies/prefetcher.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"
#include "tests/support/sm_harness.h"

namespace heddle::sim {
namespace {

std::vector<PrefetchedLine> asked(Prefetcher& prefetcher, const CacheAccess& access) {
  std::vector<PrefetchedLine> wanted;
  prefetcher.access(access, wanted);
  return wanted;
}

TEST_CASE("none is no prefetcher, next_line wants the same sectors of the lines that follow") {
  CHECK(make_prefetcher("none", "l1.prefetcher", {4, 1}) == nullptr);
  CHECK_THROWS_AS(make_prefetcher("psychic", "l1.prefetcher", {4, 1}), InputError);
  const auto next = make_prefetcher("next_line", "l1.prefetcher", {.sectors_per_line = 4, .degree = 3});
  CHECK(asked(*next, {.line = 7, .sectors = 0b0101}) ==
        std::vector<PrefetchedLine>{{8, 0b0101}, {9, 0b0101}, {10, 0b0101}});
}

/// Whose loads they are.
using Who = std::tuple<Pc, unsigned, unsigned, unsigned>;

/// By whole histories: where the last two steps between places that differ are equal, that step goes on.
std::vector<PrefetchedLine> expected_of(const std::vector<std::int64_t>& places, bool has_moved,
                                        const CacheAccess& access, const PrefetcherShape& shape) {
  std::vector<PrefetchedLine> wanted;
  const std::size_t n = places.size();
  if (!has_moved || n < 3 || places[n - 1] - places[n - 2] != places[n - 2] - places[n - 3]) return wanted;
  for (unsigned ahead = 1; ahead <= shape.degree; ++ahead) {
    std::map<std::uint64_t, std::uint32_t> lines;
    const std::int64_t moved = ahead * (places[n - 1] - places[n - 2]);
    bool is_below_zero = places[n - 1] + moved < 0;
    for (unsigned sector = 0; sector < shape.sectors_per_line && !is_below_zero; ++sector) {
      if ((access.sectors >> sector & 1) == 0) continue;
      const auto at = static_cast<std::uint64_t>(
          static_cast<std::int64_t>(access.line * shape.sectors_per_line) + sector + moved);
      lines[at / shape.sectors_per_line] |= 1U << at % shape.sectors_per_line;
    }
    for (const auto& [line, sectors] : lines) wanted.push_back({line, sectors});
  }
  return wanted;
}

TEST_CASE("the stride prefetcher asks for what whole histories of each instruction and warp ask for") {
  const std::uint64_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const PrefetcherShape shape : {PrefetcherShape{4, 1}, {4, 3}, {1, 2}, {32, 1}}) {
    const auto stride = make_prefetcher("stride", "l2.prefetcher", shape);
    std::map<Who, std::vector<std::int64_t>> histories;
    std::map<Who, std::int64_t> steps;
    std::size_t asks = 0;
    for (int i = 0; i < 4000; ++i) {
      CacheAccess access{.pc = static_cast<Pc>(random() % 3),
                         .warp = static_cast<std::uint16_t>(random() % 2),
                         .sm = static_cast<SmId>(random() % 2),
                         .piece = static_cast<std::uint8_t>(random() % 2)};
      const Who who{access.pc, access.warp, access.sm, access.piece};
      std::vector<std::int64_t>& places = histories[who];
      std::int64_t& step = steps[who];
      if (places.empty() || random() % 6 == 0) step = static_cast<std::int64_t>(random() % 41) - 20;
      const std::int64_t place = places.empty() ? 100'000 : places.back() + step;
      access.line = static_cast<std::uint64_t>(place) / shape.sectors_per_line;
      const auto first = static_cast<std::uint64_t>(place) % shape.sectors_per_line;
      access.sectors = static_cast<std::uint32_t>((random() % 16 * 2 + 1) << first &
                                                  ((std::uint64_t{1} << shape.sectors_per_line) - 1));
      const bool has_moved = places.empty() || place != places.back();
      if (has_moved) places.push_back(place);
      const std::vector<PrefetchedLine> expected = expected_of(places, has_moved, access, shape);
      asks += expected.size();
      CAPTURE(i, shape.sectors_per_line, shape.degree);
      REQUIRE(asked(*stride, access) == expected);
    }
    CHECK(asks > 100);
  }
}

/// One warp that loads `loads` times a whole line, `step` lines further each time, and waits for each.
struct Walk {
  GpuSpec spec;
  test::Timeline run;
};

Walk walk(unsigned loads, unsigned step, Overrides settings) {
  settings.insert(settings.end(), {"sms=1", "dram.row_bytes=65536"});
  test::TextKernel kernel(fmt::format("S2R R0, SR_LANEID\nIMAD R0, R0, 0x4, RZ\nMOV R5, {:#x}\n"
                                      "loop:\n"
                                      "IMAD.WIDE.U32 R2, R0, 0x1, c[data]\n"
                                      "LDG.E R4, [R2.64]\n"
                                      "IADD3 R0, R0, {:#x}, R4\n"  // waits for what was loaded, which is 0
                                      "IADD3 R5, R5, -0x1, RZ\n"
                                      "ISETP.NE.AND P0, PT, R5, RZ, PT\n"
                                      "@P0 BRA loop\n",
                                      loads, step * 128),
                          {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", std::uint64_t{loads + 8} * step * 128);
  Walk result{load_gpu("tiny", settings), {}};
  result.run = kernel.run(result.spec);
  CHECK(test::broken_laws(result.run.result, result.spec) == std::vector<std::string>{});
  return result;
}

// A walk goes through n lines, one after another. Each but the first is there or on its way when it is asked
// for; the line behind the last one is prefetched and not used. L1 has 32 lines.
TEST_CASE("next_line in L1 fetches all of a walk through lines but the first") {
  constexpr unsigned kLines = 50;
  const Walk without = walk(kLines, 1, {});
  const Walk with = walk(kLines, 1, {"l1.prefetcher=next_line"});
  const MemoryCounters& alone = without.run.result.total.memory;
  CHECK(alone.l1_miss_sectors == 4 * kLines);
  CHECK(alone.l1_prefetch_sectors == 0);
  const MemoryCounters& memory = with.run.result.total.memory;
  CHECK(memory.l1_miss_sectors == 4);
  CHECK(memory.l1_hit_sectors + memory.l1_merged_sectors == 4 * (kLines - 1));
  CHECK(memory.l1_prefetch_sectors == 4 * kLines);
  CHECK(memory.l1_prefetch_useful_sectors + memory.l1_prefetch_late_sectors == 4 * (kLines - 1));
  CHECK(memory.l1_prefetch_useful_sectors == memory.l1_hit_sectors);
  CHECK(memory.l1_prefetch_unused_sectors == 4);
  CHECK(with.run.result.cycles < without.run.result.cycles);
}

// Three lines on each time. The stride is known after three loads: those miss, and from the third on the next
// is asked for. The next line is never used.
TEST_CASE("the stride prefetcher in L1 learns a walk by steps, where next_line fetches for nothing") {
  constexpr unsigned kLoads = 40;
  const Walk stride = walk(kLoads, 3, {"l1.prefetcher=stride"});
  const MemoryCounters& memory = stride.run.result.total.memory;
  CHECK(memory.l1_miss_sectors == 4 * 3);
  CHECK(memory.l1_prefetch_sectors == 4 * (kLoads - 2));
  CHECK(memory.l1_prefetch_unused_sectors == 4);
  const Walk next = walk(kLoads, 3, {"l1.prefetcher=next_line"});
  CHECK(next.run.result.total.memory.l1_miss_sectors == 4 * kLoads);
  CHECK(next.run.result.total.memory.l1_prefetch_unused_sectors == 4 * kLoads);
  const Walk farther = walk(kLoads, 3, {"l1.prefetcher=stride", "l1.prefetch_degree=4"});
  const MemoryCounters& of_farther = farther.run.result.total.memory;
  CHECK(of_farther.l1_prefetch_unused_sectors == 4 * 4);
  // Four steps ahead there is time to fetch: fewer are late.
  CHECK(of_farther.l1_prefetch_late_sectors < memory.l1_prefetch_late_sectors);
  CHECK(farther.run.result.cycles < stride.run.result.cycles);
}

// The same behind L1, which has no prefetcher: all loads reach L2, and find there what was fetched from DRAM.
TEST_CASE("prefetchers in L2 fetch from DRAM what the next loads ask for") {
  constexpr unsigned kLines = 50;
  for (const auto& [policy, step, misses, unused] :
       {std::tuple{"next_line", 1U, 1U, 1U}, {"stride", 1U, 3U, 1U}, {"stride", 3U, 3U, 1U}}) {
    CAPTURE(policy, step);
    const Walk without = walk(kLines, step, {});
    const Walk with = walk(kLines, step, {fmt::format("l2.prefetcher={}", policy)});
    const MemoryCounters& memory = with.run.result.total.memory;
    CHECK(without.run.result.total.memory.l2_load_hit_sectors == 0);
    CHECK(memory.l2_load_sectors == 4 * kLines);
    CHECK(memory.l2_load_hit_sectors == 4 * (kLines - misses));
    CHECK(memory.l2_prefetch_useful_sectors + memory.l2_prefetch_late_sectors == 4 * (kLines - misses));
    CHECK(memory.l2_prefetch_unused_sectors == 4 * unused);
    CHECK(memory.dram_read_bytes == 128 * (kLines + unused));
    CHECK(with.run.result.cycles < without.run.result.cycles);
  }
}

// 4 KiB are 32 lines: the next line of the last one of a page is in another.
TEST_CASE("a prefetch stays in the page of the load that led to it") {
  for (const char* cache : {"l1", "l2"}) {
    CAPTURE(cache);
    const Walk with = walk(96, 1, {fmt::format("{}.prefetcher=next_line", cache), "cold.page_bytes=4096"});
    const MemoryCounters& memory = with.run.result.total.memory;
    const std::uint64_t issued = memory.l1_prefetch_sectors + memory.l2_prefetch_sectors;
    // 96 lines are in three pages or in four, as the buffer begins.
    CHECK(issued >= 4 * (96 - 4));
    CHECK(issued <= 4 * (96 - 3) + 4);
  }
}

TEST_CASE("a prefetcher without its cache is refused") {
  for (const char* cache : {"l1", "l2"}) {
    const Overrides settings = {fmt::format("{}.enabled=false", cache),
                                fmt::format("{}.prefetcher=stride", cache)};
    try {
      load_gpu("tiny", settings);
      FAIL("not refused");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find("must be 'none' unless") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace heddle::sim
