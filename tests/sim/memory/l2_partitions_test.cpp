// Near and far partitions of L2, and where lines have their homes.
#include <random>
#include <set>

#include "sim/config/load.h"
#include "sim/memory/address_map.h"
#include "sim/memory/l2_and_dram.h"
#include "tests/support/catch.h"
#include "tests/support/memory_harness.h"

namespace heddle::sim {
namespace {

constexpr Cycle kFar = 40;
constexpr Cycle kHit = 30 - 3;  // "tiny", from leaving the SM to being back in it
constexpr Cycle kMiss = 60 - 3;

GpuSpec two_partitions(const Overrides& more = {}) {
  Overrides overrides = {"l2.partitions=2", "l2.slices=2", "l2.far_latency=40", "l2.sectors_per_cycle=1024",
                         "dram.bandwidth_gbps=1e6"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return load_gpu("tiny", overrides);
}

/// Lines with homes in the partition of SM 0, or in the other one.
std::vector<Addr> lines(const GpuSpec& spec, bool far, std::size_t count) {
  const AddressMap map(spec);
  std::vector<Addr> found;
  for (std::uint64_t line = 0; found.size() < count; ++line) {
    if (map.is_far(map.home_of(line).slice, 0) == far) found.push_back(line * spec.l2.line_bytes);
  }
  return found;
}

struct Memory {
  explicit Memory(const GpuSpec& spec) : system(spec, 1) {}

  Cycle load(Cycle time, SmId sm, Addr line, std::uint32_t sectors = 1) {
    const auto reply = test::serve(system, {.time = time, .sm = sm, .line = line, .sectors = sectors});
    REQUIRE(reply.has_value());
    return reply->time - time;
  }
  void store(Cycle time, SmId sm, Addr line) {
    CHECK_FALSE(test::serve(system, {.time = time, .sm = sm, .line = line, .sectors = 1, .is_store = true}));
  }

  L2AndDram system;
};

TEST_CASE("near and far, hits and misses, and copies, which are near") {
  const GpuSpec spec = two_partitions();
  Memory memory(spec);
  const Addr near = lines(spec, false, 1)[0];
  const Addr far = lines(spec, true, 1)[0];
  CHECK(memory.load(0, 0, near) == kMiss);
  CHECK(memory.load(1000, 0, near) == kHit);
  CHECK(memory.load(2000, 0, far) == kMiss + kFar);
  CHECK(memory.load(3000, 0, far) == kHit);
  // SM 1 has them the other way round.
  CHECK(memory.load(4000, 1, near) == kHit + kFar);
  CHECK(memory.load(5000, 1, near) == kHit);
  CHECK(memory.load(6000, 1, far) == kHit);
  CHECK(memory.system.counters().l2_load_sectors == 7);
  CHECK(memory.system.counters().l2_load_hit_sectors == 5);
  CHECK(memory.system.counters().l2_far_load_sectors == 2);
  CHECK(memory.system.counters().l2_far_store_sectors == 0);
  CHECK(memory.system.counters().dram_read_bytes == 2 * 32);
}

TEST_CASE("who asks for a copy on its way gets it when it has arrived") {
  const GpuSpec spec = two_partitions();
  Memory memory(spec);
  const Addr far = lines(spec, true, 1)[0];
  CHECK(memory.load(0, 0, far) == kMiss + kFar);
  CHECK(memory.load(10, 0, far) == kMiss + kFar - 10);
}

TEST_CASE("a store goes to the line's home and takes away the copy, whichever SM it comes from") {
  for (const SmId writer : {0U, 1U}) {
    const GpuSpec spec = two_partitions();
    Memory memory(spec);
    const Addr far = lines(spec, true, 1)[0];
    memory.load(0, 0, far);
    memory.store(1000, writer, far);
    CHECK(memory.load(2000, 0, far) == kHit + kFar);
    CHECK(memory.load(3000, 0, far) == kHit);
    CHECK(memory.load(4000, 1, far) == kHit);
  }
}

TEST_CASE("atomics act at the line's home: far ones take the way there and back") {
  const GpuSpec spec = two_partitions();
  Memory memory(spec);
  const auto update = [&](Cycle time, Addr line) {
    return test::serve(memory.system, {.time = time, .line = line, .sectors = 1, .atomic_lanes = 1})->time -
           time;
  };
  const Addr near = lines(spec, false, 1)[0];
  const Addr far = lines(spec, true, 1)[0];
  memory.load(0, 0, near);
  memory.load(100, 0, far);
  const Cycle by_near = update(1000, near);
  CHECK(update(2000, far) == by_near + kFar);
  CHECK(memory.load(3000, 0, far) == kHit + kFar);  // the copy has gone
}

TEST_CASE("what goes from one partition to the other takes its turn, what is near does not wait for it") {
  const GpuSpec spec = two_partitions({"l2.far_sectors_per_cycle=0.125"});
  Memory memory(spec);
  const std::vector<Addr> far = lines(spec, true, 4);
  const Addr near = lines(spec, false, 1)[0];
  for (const Addr line : far) memory.load(0, 1, line);
  memory.load(0, 0, near);
  CHECK(memory.load(1000, 0, far[0]) == kHit + kFar);
  CHECK(memory.load(1000, 0, far[1]) == kHit + kFar + 8);
  memory.store(1000, 0, far[2]);
  CHECK(memory.load(1000, 0, far[3]) == kHit + kFar + 24);
  CHECK(memory.load(1000, 0, near) == kHit);
  CHECK(memory.load(1000, 1, far[0]) == kHit);
  CHECK(memory.load(1000, 0, far[0]) == kHit + kFar);  // the copy is on its way
  CHECK(memory.system.counters().l2_far_load_sectors == 3);
  CHECK(memory.system.counters().l2_far_store_sectors == 1);
}

TEST_CASE("a store to the other partition takes its turn at both slices") {
  const GpuSpec spec = two_partitions({"l2.sectors_per_cycle=1", "l2.far_sectors_per_cycle=1024"});
  Memory memory(spec);
  const std::vector<Addr> far = lines(spec, true, 6);
  const Addr near = lines(spec, false, 1)[0];
  memory.load(0, 1, far[5]);
  memory.load(0, 0, near);
  for (std::size_t i = 0; i < 5; ++i) memory.store(1000, 0, far[i]);
  CHECK(memory.load(1000, 0, near) == kHit + 5);
  CHECK(memory.load(1000, 1, far[5]) == kHit + 5);
}

TEST_CASE("copies take room: of what one SM reads, half of L2 is near") {
  // Each slice is one set of 8 lines.
  const GpuSpec spec = two_partitions({"l2.bytes=2048", "l2.ways=8"});
  Memory memory(spec);
  const std::vector<Addr> far = lines(spec, true, 8);
  const std::vector<Addr> near = lines(spec, false, 8);
  Cycle now = 0;
  for (const Addr line : far) memory.load(now += 1000, 0, line);
  for (const Addr line : far) CHECK(memory.load(now += 1000, 0, line) == kHit);
  for (const Addr line : near) CHECK(memory.load(now += 1000, 0, line) == kMiss);  // throws out the copies
  for (const Addr line : far) CHECK(memory.load(now += 1000, 0, line) == kHit + kFar);
}

TEST_CASE("without L2 there are no partitions") {
  Memory memory(two_partitions({"l2.enabled=false"}));
  for (Addr line = 0; line < 8 * 128; line += 128) CHECK(memory.load(line * 10, 0, line) == kMiss);
}

TEST_CASE("what comes from DRAM together is there together") {
  Memory memory(load_gpu("tiny", {"l2.fetch_bytes=64"}));
  CHECK(memory.load(0, 0, 0x4000, 0b0010) == kMiss);
  CHECK(memory.system.counters().dram_read_bytes == 64);
  CHECK(memory.load(1000, 0, 0x4000, 0b0001) == kHit);
  CHECK(memory.load(2000, 0, 0x4000, 0b0100) == kMiss);
  CHECK(memory.system.counters().dram_read_bytes == 128);
  // A sector that was stored is not read again.
  memory.store(3000, 0, 0x8000);
  CHECK(memory.load(4000, 0, 0x8000, 0b0010) == kMiss);
  CHECK(memory.system.counters().dram_read_bytes == 128 + 32);
}

TEST_CASE("neighbouring lines have homes in all slices, and every line is found again") {
  std::mt19937_64 random(5);
  INFO("seed 5");
  for (const char* gpu : {"tiny", "rtx4090", "a100", "b200"}) {
    const GpuSpec spec = load_gpu(gpu);
    const AddressMap map(spec);
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t first = (random() >> 24) / spec.l2.slices * spec.l2.slices;
      std::set<std::size_t> slices;
      for (std::uint64_t line = first; line < first + spec.l2.slices; ++line) {
        const AddressMap::Home home = map.home_of(line);
        slices.insert(home.slice);
        REQUIRE(map.line_at(home) == line);
        REQUIRE(home.slice < spec.l2.slices);
      }
      CHECK(slices.size() == spec.l2.slices);
    }
  }
}

TEST_CASE("a slice and its opposite are in different partitions") {
  const GpuSpec spec = load_gpu("a100");
  const AddressMap map(spec);
  for (std::size_t slice = 0; slice < spec.l2.slices; ++slice) {
    CHECK(map.opposite(map.opposite(slice)) == slice);
    CHECK(map.is_far(slice, 0) != map.is_far(map.opposite(slice), 0));
    CHECK(map.is_far(slice, 0) != map.is_far(slice, 1));
    CHECK(map.is_far(slice, 0) == map.is_far(slice, 2));
  }
}

}  // namespace
}  // namespace heddle::sim
