#include "sim/memory/l2_and_dram.h"

#include <algorithm>
#include <random>
#include <set>

#include "sim/config/load.h"
#include "sim/memory/address_map.h"
#include "tests/support/catch.h"
#include "tests/support/memory_harness.h"

namespace heddle::sim {
namespace {

/// "tiny" with one slice and one channel, so that everything meets everything: 1 sector a cycle from the
/// slice and from DRAM (32 bytes at 1 GHz), latencies 30 and 60, of which the front takes 3 and the
/// request 10.
GpuSpec one_of_each(const Overrides& more = {}) {
  Overrides overrides = {"l2.slices=1", "dram.channels=1"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return load_gpu("tiny", overrides);
}

constexpr Cycle kHit = 30 - 3;  // from leaving the SM to being back in it
constexpr Cycle kMiss = 60 - 3;
constexpr Cycle kBack = kHit - 10;  // from the slice

struct Memory {
  explicit Memory(const GpuSpec& spec) : system(spec, 1) {}

  Cycle load(Cycle time, Addr line, std::uint32_t sectors = 1) {
    const auto reply =
        test::serve(system, {.time = time, .sm = 0, .tag = 17, .line = line, .sectors = sectors});
    REQUIRE(reply.has_value());
    CHECK(reply->tag == 17);
    return reply->time;
  }
  void store(Cycle time, Addr line, std::uint32_t sectors = 1) {
    CHECK_FALSE(
        test::serve(system, {.time = time, .line = line, .sectors = sectors, .is_store = true}).has_value());
  }

  L2AndDram system;
};

TEST_CASE("a miss takes dram.latency from issue to use, a hit l2.latency") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    INFO(gpu);
    const GpuSpec spec = load_gpu(gpu);
    Memory memory(spec);
    const AddressMap map(spec);
    Addr line = 0x4000;
    while (map.is_far(map.home_of(line / spec.l2.line_bytes).slice, 0)) line += spec.l2.line_bytes;
    const Cycle front = spec.sm.mio.front_latency;
    CHECK(memory.load(1000, line) == 1000 - front + spec.dram.latency);
    CHECK(memory.load(5000, line) == 5000 - front + spec.l2.latency);
    CHECK(memory.system.counters().l2_load_sectors == 2);
    CHECK(memory.system.counters().l2_load_hit_sectors == 1);
    CHECK(memory.system.counters().dram_read_bytes == spec.l2.fetch_bytes);
  }
}

TEST_CASE("a sector of a line that L2 holds in part comes from DRAM") {
  Memory memory(one_of_each());
  memory.load(0, 0x4000, 0b0011);
  CHECK(memory.load(1000, 0x4000, 0b0010) == 1000 + kHit);
  CHECK(memory.load(2000, 0x4000, 0b0110) == 2000 + kMiss);
  CHECK(memory.system.counters().l2_load_hit_sectors == 2);
  CHECK(memory.system.counters().dram_read_bytes == 3 * 32);
}

TEST_CASE("who asks for a sector on its way gets it when it has arrived, not before") {
  Memory memory(one_of_each());
  CHECK(memory.load(100, 0x4000) == 100 + kMiss);
  CHECK(memory.load(101, 0x4000) == 100 + kMiss);
  CHECK(memory.load(100 + 20, 0x4000) == 100 + kMiss);
  CHECK(memory.load(100 + 40, 0x4000) == 140 + kHit);  // it arrived at the slice meanwhile
}

TEST_CASE("a slice serves sectors_per_cycle, one request after the other") {
  // Hits of 4 sectors: 4 cycles of the slice each, whoever asks.
  Memory memory(one_of_each());
  for (Addr line = 0; line < 8; ++line) memory.load(line * 100, line * 128, 0b1111);
  for (Addr line = 0; line < 8; ++line)
    CHECK(memory.load(5000, line * 128, 0b1111) == 5000 + 4 * line + kHit);
  CHECK(memory.load(5032, 0, 1) == 5032 + kHit);
  Memory wide(one_of_each({"l2.sectors_per_cycle=8"}));  // half a cycle each
  for (Addr line = 0; line < 8; ++line) wide.load(line * 100, line * 128, 0b1111);
  for (Addr line = 0; line < 8; ++line) CHECK(wide.load(5000, line * 128, 0b1111) == 5000 + line / 2 + kHit);
}

TEST_CASE("a slice reaches l2.efficiency of its peak") {
  Memory memory(
      one_of_each({"l2.sectors_per_cycle=2", "l2.efficiency=0.8"}));  // hits of 4 sectors: 2.5 cycles each
  for (Addr line = 0; line < 8; ++line) memory.load(line * 100, line * 128, 0b1111);
  for (Addr line = 0; line < 8; ++line)
    CHECK(memory.load(5000, line * 128, 0b1111) == 5000 + line * 5 / 2 + kHit);
}

TEST_CASE("a slice updates so many addresses a cycle, and lanes that name one address in turn") {
  Memory memory(one_of_each({"l2.sectors_per_cycle=1024", "l2.atomic_addresses_per_cycle=0.25"}));
  const auto update = [&memory](std::uint16_t addresses, std::uint16_t lanes) {
    const MemoryRequest request{.time = 1000,
                                .line = 0,
                                .sectors = 0b1111,
                                .is_store = true,
                                .atomic_lanes = lanes,
                                .atomic_addresses = addresses};
    CHECK_FALSE(test::serve(memory.system, request).has_value());
  };
  const auto fence = [&memory] {
    return test::serve(memory.system, MemoryRequest{.time = 1000, .is_fence = true})->time;
  };
  memory.load(0, 0, 0b1111);
  CHECK(memory.load(1000, 0) == 1000 + kHit);
  update(32, 1);
  CHECK(fence() == 1000 + 32 * 4 + kHit);
  update(1, 32);
  CHECK(fence() == 1000 + 32 * 4 + 32 + kHit);
  update(10, 3);
  CHECK(fence() == 1000 + 32 * 4 + 32 + 40 + kHit);
  // Loads pass meanwhile.
  CHECK(memory.load(1000, 0) == 1000 + kHit);
  CHECK(memory.system.done_at() == fence() - kBack);
}

TEST_CASE("what an update displaces leaves when it comes, whenever its turn is") {
  // All lines are dirty; the unit is busy for long; then come an update of another line, and a load.
  const auto load_after = [](bool is_atomic) {
    Memory memory(one_of_each({"l2.atomic_interval=1000", "dram.write_batch=1", "l2.bytes=4 KiB"}));
    for (Addr line = 0; line < 64; ++line) memory.store(0, line * 128, 0b1111);
    const auto update = [&memory](Addr line, bool atomic) {
      const MemoryRequest request{.time = 10000,
                                  .line = line,
                                  .sectors = 1,
                                  .is_store = true,
                                  .atomic_lanes = static_cast<std::uint16_t>(atomic ? 32 : 0),
                                  .atomic_addresses = static_cast<std::uint16_t>(atomic ? 1 : 0)};
      CHECK_FALSE(test::serve(memory.system, request).has_value());
    };
    update(63 * 128, true);  // which is there, and keeps the unit busy for 32,000 cycles
    update(100 * 128, is_atomic);
    return memory.load(10100, 200 * 128);
  };
  CHECK(load_after(true) <= load_after(false) + 100);
}

TEST_CASE("a channel keeps the GPU's bandwidth") {
  // The slice takes all at once; the channel gives 32 bytes a cycle at 32 GB/s, 1 GHz; 16 at an efficiency of
  // 0.5.
  struct Case {
    const char* override;
    Cycle cycles_per_line;
  };
  for (const Case& expected : {Case{"dram.efficiency=1", 4},
                               {"dram.efficiency=0.5", 8},
                               {"dram.bandwidth_gbps=128", 1},
                               {"clock_mhz=2000", 8},
                               {"dram.bandwidth_gbps=64", 2}}) {
    INFO(expected.override);
    Memory memory(one_of_each({"l2.sectors_per_cycle=1024", expected.override}));
    for (Addr line = 0; line < 32; ++line) {
      CHECK(memory.load(1000, line * 128, 0b1111) == 1000 + expected.cycles_per_line * line + kMiss);
    }
  }
}

TEST_CASE("bandwidths that are no whole number of cycles lose nothing over time") {
  // 3 sectors a cycle: 3000 lines of 4 sectors take 4000 cycles, the last one from 3998.67 on. A sector's
  // third of a cycle is rounded to 1/4096 cycle, which over 12000 of them comes to less than a cycle.
  Memory memory(one_of_each({"l2.sectors_per_cycle=1024", "dram.bandwidth_gbps=96", "l2.bytes=8 MiB"}));
  Cycle last = 0;
  for (Addr line = 0; line < 3000; ++line) last = memory.load(0, line * 128, 0b1111);
  CHECK(last - kMiss >= 3997);
  CHECK(last - kMiss <= 3999);
}

TEST_CASE("a store fills its sectors without reading, and dirties them") {
  Memory memory(one_of_each());
  memory.store(0, 0x4000, 0b0101);
  CHECK(memory.load(1000, 0x4000, 0b0101) == 1000 + kHit);
  CHECK(memory.load(2000, 0x4000, 0b1111) == 2000 + kMiss);
  CHECK(memory.system.counters().l2_store_sectors == 2);
  CHECK(memory.system.counters().dram_read_bytes == 2 * 32);
  CHECK(memory.system.counters().dram_write_bytes == 0);
}

TEST_CASE("what is dirty is written when its line makes room, what is clean is not") {
  // One set of 8 lines.
  Memory memory(one_of_each({"l2.bytes=1024", "l2.ways=8"}));
  memory.store(0, 0 * 128, 0b0111);
  for (Addr line = 1; line < 8; ++line) memory.load(100 * line, line * 128);
  CHECK(memory.system.counters().dram_write_bytes == 0);
  memory.load(1000, 8 * 128);  // throws out line 0
  CHECK(memory.system.counters().dram_write_bytes == 3 * 32);
  memory.load(2000, 9 * 128);  // throws out line 1, clean
  CHECK(memory.system.counters().dram_write_bytes == 3 * 32);
  CHECK(memory.load(3000, 0) == 3000 + kMiss);
}

TEST_CASE("what is written back takes its channel's time") {
  Memory memory(one_of_each({"l2.bytes=1024", "l2.ways=8"}));
  for (Addr line = 0; line < 8; ++line) memory.store(100 * line, line * 128, 0b1111);
  // The write of 4 sectors goes before the read.
  CHECK(memory.load(1000, 9 * 128) == 1000 + 4 + kMiss);
}

TEST_CASE("without L2 every request goes to DRAM") {
  Memory memory(one_of_each({"l2.enabled=false"}));
  CHECK(memory.load(0, 0) == kMiss);
  CHECK(memory.load(1000, 0) == 1000 + kMiss);
  memory.store(2000, 0, 0b1111);
  CHECK(memory.system.counters().l2_load_hit_sectors == 0);
  CHECK(memory.system.counters().dram_read_bytes == 64);
  CHECK(memory.system.counters().dram_write_bytes == 128);
}

TEST_CASE("L2 holds as many bytes as the GPU file says, whatever its lines are") {
  // One set with all the ways there are: lines of L1 from one end to the other fit, one more throws out the
  // first.
  for (const std::uint32_t line_bytes : {32U, 64U, 128U, 256U, 512U}) {
    const std::string ways = std::to_string(8192 / line_bytes);
    const GpuSpec spec =
        one_of_each({"l2.bytes=8192", "l2.line_bytes=" + std::to_string(line_bytes), "l2.ways=" + ways,
                     "l2.sectors_per_cycle=1024", "dram.bandwidth_gbps=1e6"});
    INFO("L2 lines of " << line_bytes << " bytes");
    Memory memory(spec);
    for (Addr line = 0; line < 8192; line += 128)
      CHECK(memory.load(line * 10, line, 0b1111) == line * 10 + kMiss);
    CHECK(memory.system.counters().l2_load_hit_sectors == 0);
    for (Addr line = 0; line < 8192; line += 128) memory.load(100000 + line * 10, line, 0b1111);
    CHECK(memory.system.counters().l2_load_hit_sectors == 8192 / 32);
    memory.load(900000, 8192, 0b1111);
    memory.load(910000, 0, 0b1111);
    CHECK(memory.system.counters().l2_load_hit_sectors == 8192 / 32);
  }
}

TEST_CASE("lines spread evenly over slices and channels, whatever their stride") {
  // With k slices that take a request a cycle each, n requests at once are through after about n / k cycles.
  for (const Addr stride : {128U, 256U, 4096U, 65536U, 128 * 80U, 128 * 81U}) {
    const GpuSpec spec = load_gpu("h100", {"l2.partitions=1", "l2.sectors_per_cycle=1", "l2.efficiency=1",
                                           "dram.activate_ns=0", "dram.bandwidth_gbps=1e6"});
    Memory memory(spec);
    Cycle last = 0;
    constexpr unsigned kLines = 8000;
    for (Addr line = 0; line < kLines; ++line) last = std::max(last, memory.load(0, line * stride, 1));
    INFO("stride " << stride);
    const double longest = static_cast<double>(last) - (spec.dram.latency - spec.sm.mio.front_latency);
    CHECK(longest >= kLines / 80 - 1);
    CHECK(longest <= kLines / 80 * 1.6);  // 80 bins of 100: a bin of 160 would be six standard deviations out
  }
}

TEST_CASE("random traffic: no reply before its latency, and every byte is accounted for") {
  std::mt19937_64 random(11);
  const GpuSpec spec = one_of_each({"l2.bytes=4096", "l2.slices=2", "dram.channels=2"});
  Memory memory(spec);
  std::set<Addr> written;
  std::uint64_t loads = 0;
  Cycle now = 0;
  for (int i = 0; i < 20000; ++i) {
    now += random() % 4;
    const Addr line = random() % 64 * 128;
    const auto sectors = static_cast<std::uint32_t>(1 + random() % 15);
    if (random() % 3 == 0) {
      memory.store(now, line, sectors);
      continue;
    }
    REQUIRE(memory.load(now, line, sectors) >= now + kHit);
    loads += bit_count(sectors);
  }
  const MemoryCounters& counted = memory.system.counters();
  CHECK(counted.l2_load_sectors == loads);
  CHECK(counted.dram_read_bytes == 32 * (loads - counted.l2_load_hit_sectors));
  CHECK(counted.dram_write_bytes <= 32 * counted.l2_store_sectors);
  CHECK(counted.dram_write_bytes > 0);
}

}  // namespace
}  // namespace heddle::sim
