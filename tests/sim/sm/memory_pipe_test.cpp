// The way of memory instructions: the MIO queue, the shared stage, bank conflicts, sectors, latencies of the
// levels.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

/// Issue cycles of n back-to-back shared loads of one warp in each of the first `active` sub-partitions,
/// sorted within each n, the first of all at cycle 2 as in the table.
std::vector<std::vector<Cycle>> back_to_back(const sim::GpuSpec& spec, unsigned active, unsigned count) {
  std::string body;
  for (unsigned i = 0; i < count; ++i) body += fmt::format("LDS R{}, [RZ]\n", i);
  TextKernel kernel(body, {.x = 32 * active}, {}, ".shared words 128");
  const Timeline run = kernel.run(spec);
  const Cycle start = run.cycles(0).front() - 2;
  std::vector<std::vector<Cycle>> table(count);
  for (Pc n = 0; n < count; ++n) {
    for (unsigned warp = 0; warp < active; ++warp) table[n].push_back(run.cycles_at(n, warp).front() - start);
    std::sort(table[n].begin(), table[n].end());
  }
  return table;
}

TEST_CASE("back-to-back memory instructions issue as measured on compute capability 8.6") {
  // Huerta et al., arXiv 2503.20481, Table 1: the cycles of the nth instruction with 1 to 4 active
  // sub-partitions.
  const sim::GpuSpec spec = launching_at_once("rtx3080");
  const std::vector<std::vector<std::vector<Cycle>>> sixth_to_eighth = {
      {{13}, {17}, {21}},
      {{13, 15}, {17, 19}, {21, 23}},
      {{13, 15, 17}, {19, 21, 23}, {25, 27, 29}},
      {{13, 15, 17, 19}, {21, 23, 25, 27}, {29, 31, 33, 35}},
  };
  const Cycle later_step[] = {4, 4, 6, 8};
  for (unsigned active = 1; active <= 4; ++active) {
    INFO(active << " active sub-partitions");
    const auto table = back_to_back(spec, active, 16);
    for (Cycle n = 0; n < 5; ++n) CHECK(table[n] == std::vector<Cycle>(active, 2 + n));
    for (std::size_t n = 0; n < 3; ++n) CHECK(table[5 + n] == sixth_to_eighth[active - 1][n]);
    for (std::size_t n = 8; n < 16; ++n) {
      std::vector<Cycle> expected = table[n - 1];
      for (Cycle& cycle : expected) cycle += later_step[active - 1];
      CHECK(table[n] == expected);
    }
  }
}

TEST_CASE("a full queue holds back memory instructions, not the others") {
  // tiny: depth 2, front 3, one in 2 cycles. The third LDS finds room when the first reaches the stage.
  TextKernel kernel("LDS R0, [RZ]\nLDS R1, [RZ]\nLDS R2, [RZ]\nNOP", {.x = 32}, {}, ".shared words 128");
  const Timeline run = kernel.run(sim::load_gpu("tiny"));
  const Cycle start = run.cycles(0).front();
  CHECK(run.cycles(0) == std::vector<Cycle>{start, start + 1, start + 3, start + 4, start + 5});
  CHECK(run.result.total.stalls[ir::StallReason::MioThrottle] == 1);
}

/// Cycles from an LDS of stride `words` to the instruction that needs it, for the warp alone.
Cycle shared_latency(const sim::GpuSpec& spec, unsigned words) {
  TextKernel kernel(
      fmt::format("S2R R0, SR_LANEID\nIMAD R0, R0, {:#x}, RZ\nload:\nLDS R1, [R0]\nIADD3 R2, R1, RZ, RZ",
                  4 * words),
      {.x = 32}, {}, ".shared words 4224");
  const Timeline run = kernel.run(spec);
  const Pc load = kernel.pc_of("load");
  const unsigned ways = words == 0 ? 1 : std::gcd(words, 32U);
  CHECK(run.result.total.memory.shared_load_passes == ways);
  CHECK(run.result.total.memory.shared_load_bank_conflicts == ways - 1);
  return run.cycles_at(load + 1).front() - run.cycles_at(load).front();
}

TEST_CASE("an n-way bank conflict adds n - 1 cycles to the latency of shared memory") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    const Cycle latency = spec.sm.timing(ir::TimingClass::LoadShared).latency;
    for (const unsigned words : {0U, 1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 31U, 32U, 33U}) {
      INFO(gpu << ", stride " << words);
      const unsigned ways = words == 0 ? 1 : std::gcd(words, 32U);
      CHECK(shared_latency(spec, words) == latency + ways - 1);
    }
  }
}

TEST_CASE("a conflicted access keeps the shared stage for as many cycles as it has ways") {
  // Warps 0 to 3, one in each sub-partition, load at the same cycle: the k-th is served after k conflicted
  // ones.
  for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
    INFO(ways << " ways");
    TextKernel kernel(
        fmt::format("S2R R0, SR_LANEID\nIMAD R0, R0, {:#x}, RZ\nload:\nLDS R1, [R0]\nIADD3 R2, R1, RZ, RZ",
                    4 * ways),
        {.x = 128}, {}, ".shared words 4224");
    const Timeline run = kernel.run(launching_at_once("h100"));
    const Pc load = kernel.pc_of("load");
    for (unsigned warp = 0; warp < 4; ++warp) {
      const Cycle waited = run.cycles_at(load + 1, warp).front() - run.cycles_at(load, warp).front();
      CHECK(waited == 29 + ways * warp + ways - 1);
    }
    CHECK(run.result.total.memory.l1_data_pipe_cycles == 4 * ways);
    // Where an access keeps it for 2 cycles at least (mio.shared_interval of compute capability 8.6).
    const Timeline twos = kernel.run(launching_at_once("rtx3080"));
    CHECK(twos.result.total.memory.l1_data_pipe_cycles == 4 * std::max(2U, ways));
  }
}

/// What a warp of lanes `stride` floats apart asks for: its line and sector counts by the model.
sim::MemoryCounters strided_counters(unsigned stride) {
  TextKernel kernel(
      fmt::format(
          "S2R R0, SR_LANEID\nIMAD R0, R0, {:#x}, RZ\nIMAD.WIDE.U32 R2, R0, 0x4, c[data]\nLDG.E R4, [R2.64]\n"
          "STG.E [R2.64], R4",
          stride),
      {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", 32 * 4 * (stride + 1));
  return kernel.run(launching_at_once("h100")).result.total.memory;
}

TEST_CASE("a request touches min(32, ceil((31 x stride + 1) / 8)) sectors at a stride of floats") {
  for (unsigned stride = 1; stride <= 33; ++stride) {
    INFO("stride " << stride);
    const unsigned expected = std::min(32U, (31 * stride + 1 + 7) / 8);
    const sim::MemoryCounters counted = strided_counters(stride);
    CHECK(counted.global_load_requests == 1);
    CHECK(counted.global_store_requests == 1);
    CHECK(counted.global_load_sectors == expected);
    CHECK(counted.global_store_sectors == expected);
    CHECK(counted.l2_load_sectors == expected);
    CHECK(counted.l2_store_sectors == expected);
  }
}

/// A load from a buffer that the warp has loaded from before, or not; cycles until its result can be used.
TEST_CASE("one load takes the latency of the level it is found in") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = launching_at_once(gpu);
    // The first load misses everywhere, the second, of the same word, is in L1 by then; with L1 off in L2.
    const char* body =
        "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nfirst:\nLDG.E R4, [R2.64]\nIADD3 R4, R4, RZ, RZ\nIADD3 "
        "R3, R3, R4, "
        "RZ\nsecond:\nLDG.E R5, [R2.64]\nIADD3 R5, R5, RZ, RZ";
    for (const bool l1 : {true, false}) {
      const sim::GpuSpec variant = launching_at_once(gpu, {l1 ? "l1.enabled=true" : "l1.enabled=false"});
      TextKernel kernel(body, {.x = 32}, {}, ".param data ptr");
      kernel.add_buffer("data", 128);
      const Timeline run = kernel.run(variant);
      const auto latency = [&](const char* label) {
        const Pc load = kernel.pc_of(label);
        return run.cycles_at(load + 1).front() - run.cycles_at(load).front();
      };
      CHECK(latency("first") == spec.dram.latency);
      CHECK(latency("second") == (l1 ? spec.l1.latency : spec.l2.latency));
    }
  }
}

TEST_CASE("the latency of an L1 that is off costs nothing") {
  // textbook has neither cache: a load takes 400 cycles, whatever its L1 would take.
  const sim::GpuSpec spec = sim::load_gpu("textbook", {"l1.latency=700"});
  TextKernel kernel(
      "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nload:\nLDG.E R4, [R2.64]\nIADD3 R4, R4, RZ, RZ", {.x = 32},
      {}, ".param data ptr");
  kernel.add_buffer("data", 128);
  const Timeline run = kernel.run(spec);
  const Pc load = kernel.pc_of("load");
  CHECK(run.cycles_at(load + 1).front() - run.cycles_at(load).front() == 400);
}

/// Cycles of a cold load of 32 lanes of 16 bytes, `stride` bytes apart, where nothing but the port into the
/// SM is narrow.
Cycle cold_load(unsigned stride, unsigned reply_sectors_per_cycle) {
  const sim::GpuSpec spec = launching_at_once(
      "h100", {"l1.tags_per_cycle=64", "l2.sectors_per_cycle=1024", "dram.bandwidth_gbps=1e6",
               "dram.activate_ns=0", "l2.partitions=1", "dram.latency=656", "sm.shared.banks=1024",
               fmt::format("l2.reply_sectors_per_cycle={}", reply_sectors_per_cycle)});
  TextKernel kernel(
      fmt::format("S2R R0, SR_LANEID\nIMAD.WIDE.U32 R2, R0, {:#x}, c[data]\nload:\nLDG.E.128 R4, "
                  "[R2.64]\nIADD3 R4, R4, RZ, RZ",
                  stride),
      {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", 32 * stride);
  const Timeline run = kernel.run(spec);
  const Pc load = kernel.pc_of("load");
  return run.cycles_at(load + 1).front() - run.cycles_at(load).front();
}

TEST_CASE("replies enter an SM reply_sectors_per_cycle at a time") {
  // 32 x 16 bytes in a row: 4 lines of 4 sectors, the last of which begins to come in after 12 sectors.
  CHECK(cold_load(16, 1) == 656 + 12);
  CHECK(cold_load(16, 2) == 656 + 6);
  CHECK(cold_load(16, 4) == 656 + 3);
  CHECK(cold_load(16, 1024) == 656);
  // A line each: 32 replies of one sector, the last after 31 of them.
  CHECK(cold_load(128, 1) == 656 + 31);
  CHECK(cold_load(128, 2) == 656 + 31 / 2);
  CHECK(cold_load(128, 1024) == 656);
}

TEST_CASE("loads beyond the misses in flight wait for a fill") {
  // tiny holds 4 requests, none of which comes back before 60. A warp of 8 lines needs two turns.
  TextKernel kernel(
      "S2R R0, SR_LANEID\nIMAD.WIDE.U32 R2, R0, 0x80, c[data]\nload:\nLDG.E R4, [R2.64]\nIADD3 R4, R4, RZ, "
      "RZ",
      {.x = 8}, {}, ".param data ptr");
  kernel.add_buffer("data", 4096);
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"dram.bandwidth_gbps=1e6", "l2.sectors_per_cycle=1024",
                                                   "l2.slices=1", "l2.reply_sectors_per_cycle=1024"});
  const Timeline run = kernel.run(spec);
  const Pc load = kernel.pc_of("load");
  // The first four leave at 3. The others leave when these are back, at 60, in the second cycle of their
  // load's look-ups (four lines a cycle), and are back 57 later.
  CHECK(run.cycles_at(load + 1).front() - run.cycles_at(load).front() == 60 + 1 + 57);
  CHECK(run.result.total.memory.l1_miss_sectors == 8);
}

}  // namespace
}  // namespace heddle::test
