// Counters by instruction, each against what a small kernel must have: whose stall, whose lost slot, whose
// sector. That they sum to the run's counters is checked wherever a test runs a kernel:
// tests/support/pc_laws.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::StallReason;
using sim::MemoryLevel;

const sim::LoadLatency& latency(const sim::PcCounters& counters, MemoryLevel level) {
  return counters.latency[static_cast<std::size_t>(level)];
}

TEST_CASE("what a dependent instruction waits for is charged to it, of each warp") {
  for (const char* gpu : {"tiny", "v100", "h100"}) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    INFO(gpu);
    TextKernel kernel("MOV R1, RZ\nFADD R0, R1, R1\nFADD R2, R0, R0\nNOP", {.x = 32});
    const std::vector<sim::PcCounters> by_pc = kernel.run(spec).result.by_pc;
    REQUIRE(by_pc.size() == 5);
    const Cycle wait = spec.sm.timing(ir::TimingClass::Fp32).latency - 1;
    CHECK(by_pc[2].stalls[StallReason::Wait] == wait);
    CHECK(by_pc[2].lost_slots[StallReason::Wait] == wait);
    CHECK(by_pc[2].stalls.sum() == wait);
    CHECK(by_pc[3].stalls.sum() == 0);
    for (const sim::PcCounters& counters : by_pc) CHECK(counters.issued == 1);
  }
}

TEST_CASE("warps that wait at a barrier wait to issue what stands behind it") {
  const sim::GpuSpec spec = launching_at_once("h100");
  for (const unsigned warps : {1U, 4U, 32U}) {
    TextKernel kernel("BAR.SYNC 0x0\nNOP", {.x = 32 * warps});
    const Timeline run = kernel.run(spec);
    std::uint64_t waited = 0;
    for (unsigned warp = 0; warp < warps; ++warp) {
      const std::vector<Cycle> cycles = run.cycles(warp);
      waited += cycles[1] - cycles[0] - 1;
    }
    const std::vector<sim::PcCounters>& by_pc = run.result.by_pc;
    CHECK(by_pc[0].stalls[StallReason::Barrier] == 0);
    CHECK(by_pc[1].stalls.sum() == waited);
    CHECK(by_pc[1].stalls[StallReason::Barrier] + by_pc[1].stalls[StallReason::NotSelected] +
              by_pc[1].stalls[StallReason::MathPipeThrottle] ==
          waited);
  }
}

TEST_CASE(
    "of warps that are ready at once, those that are not selected are charged at the instruction they show") {
  // 8 warps of one sub-partition issue NOP after NOP: while one issues, the other seven could.
  const sim::GpuSpec spec = launching_at_once("tiny", {"sm.scheduler=lrr"});
  const unsigned warps = 2 * spec.sm.sub_partitions;
  TextKernel kernel(repeat("NOP", 4), {.x = 32 * warps});
  const sim::RunResult result = kernel.run(spec).result;
  std::uint64_t not_selected = 0;
  for (const sim::PcCounters& counters : result.by_pc) {
    CHECK(counters.issued == warps);
    CHECK(counters.lost_slots[StallReason::NotSelected] == 0);
    not_selected += counters.stalls[StallReason::NotSelected];
  }
  CHECK(not_selected == result.total.stalls[StallReason::NotSelected]);
  CHECK(result.by_pc[0].stalls[StallReason::NotSelected] ==
        spec.sm.sub_partitions);  // the second of each pair
}

TEST_CASE(
    "loads are counted by the level that answers, with the latency that it has when nothing else runs") {
  for (const char* gpu : {"tiny", "v100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = launching_at_once(gpu, {"sms=1"});
    TextKernel kernel(
        "LDC.64 R2, c[data]\ncold:\nLDG.E R4, [R2.64]\nIADD3 R5, R4, RZ, RZ\n"
        "near:\nLDG.E R6, [R2.64]\nIADD3 R7, R6, RZ, RZ\n"
        "far:\nLDG.E.STRONG.GPU R8, [R2.64]\nIADD3 R9, R8, RZ, RZ",
        {.x = 32}, {}, ".param data ptr");
    kernel.add_buffer("data", 128);
    const Timeline run = kernel.run(spec);
    const std::uint64_t fetched = std::max(spec.l1.sector_bytes, spec.l2.fetch_bytes);
    struct Row {
      const char* label;
      MemoryLevel level;
      Cycle cycles;
    };
    for (const Row& row : {Row{"cold", MemoryLevel::Dram, spec.dram.latency},
                           {"near", MemoryLevel::L1, spec.l1.latency},
                           {"far", MemoryLevel::L2, spec.l2.latency}}) {
      INFO(row.label);
      const Pc pc = kernel.pc_of(row.label);
      const sim::PcCounters& counters = run.result.by_pc[pc];
      const sim::LoadLatency& told = latency(counters, row.level);
      CHECK(told.count == 1);
      CHECK(counters.all_latency() == told);
      CHECK(told.sum == told.longest);
      CHECK(told.sum == row.cycles);
      // What the next instruction waits is what the load takes.
      CHECK(run.result.by_pc[pc + 1].stalls.sum() ==
            run.cycles_at(pc + 1, 0)[0] - run.cycles_at(pc, 0)[0] - 1);
      CHECK(counters.memory.dram_read_bytes == (row.level == MemoryLevel::Dram ? fetched : 0));
      CHECK(counters.memory.l1_hit_sectors == (row.level == MemoryLevel::L1 ? 1 : 0));
      CHECK(counters.memory.l2_load_sectors == (row.level == MemoryLevel::L1 ? 0 : 1));
      CHECK(counters.memory.l2_load_hit_sectors == (row.level == MemoryLevel::L2 ? 1 : 0));
    }
  }
}

TEST_CASE("sectors and passes belong to the access that asks for them") {
  const sim::GpuSpec spec = sim::load_gpu("v100", {"sms=1"});
  TextKernel kernel(
      "S2R R0, SR_LANEID\nLDC.64 R2, c[data]\n"
      "IMAD.WIDE R4, R0, 0x4, R2\ndense:\nLDG.E R8, [R4.64]\nIADD3 R12, R8, RZ, RZ\n"
      "IMAD.WIDE R6, R0, 0x20, R2\nsparse:\nLDG.E R9, [R6.64]\n"
      "IMAD R10, R0, 0x4, RZ\nrow:\nSTS [R10], R8\nIMAD R11, R0, 0x80, RZ\ncolumn:\nSTS [R11], R9",
      {.x = 32}, {}, ".param data ptr\n.shared words 4096");
  kernel.add_buffer("data", 1024);
  const std::vector<sim::PcCounters> by_pc = kernel.run(spec).result.by_pc;
  const auto memory = [&](const char* label) { return by_pc[kernel.pc_of(label)].memory; };
  CHECK(memory("dense").global_load_sectors == 4);
  CHECK(memory("dense").global_load_excess_sectors == 0);
  CHECK(memory("sparse").global_load_sectors == 32);
  CHECK(memory("sparse").global_load_excess_sectors == 28);
  CHECK(memory("sparse").l1_hit_sectors == 4);
  CHECK(memory("sparse").l2_load_sectors == 28);
  CHECK(memory("row").shared_store_passes == 1);
  CHECK(memory("row").shared_store_bank_conflicts == 0);
  CHECK(memory("column").shared_store_passes == 32);
  CHECK(memory("column").shared_store_bank_conflicts == 31);
}

TEST_CASE("what is displaced from L2 is written for the instruction that displaces it") {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"sms=1"});
  const std::uint32_t rounds = static_cast<std::uint32_t>(4 * spec.l2.bytes / 1024);
  TextKernel kernel(
      fmt::format("S2R R0, SR_LANEID\nLDC.64 R2, c[data]\nIMAD.WIDE R4, R0, 0x20, R2\nMOV R1, RZ\n"
                  "loop:\nSTG.E [R4.64], R1\nIADD3 R4, R4, 0x400, RZ\nIADD3 R1, R1, 0x1, RZ\n"
                  "ISETP.LT.AND P0, PT, R1, {}, PT\n@P0 BRA loop",
                  rounds),
      {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", 4 * spec.l2.bytes);
  const sim::RunResult result = kernel.run(spec).result;
  const Pc store = kernel.pc_of("loop");
  CHECK(result.total.memory.dram_write_bytes > 0);
  CHECK(result.by_pc[store].memory.dram_write_bytes == result.total.memory.dram_write_bytes);
  CHECK(result.by_pc[store].memory.l2_store_sectors == 32 * rounds);
}

TEST_CASE("nobody gets counters by instruction who did not ask for them") {
  ScriptedKernel kernel([] {
    Script script;
    script.shape.grid = {1};
    script.shape.block = {32};
    stream::StaticOp exit;
    exit.timing_class = ir::TimingClass::Exit;
    exit.kind = stream::OpKind::Exit;
    script.add(exit);
    script.blocks.push_back({{0xffffffff, {{0, 0xffffffff, 0xffffffff, {}}}}});
    return script;
  }());
  CHECK(sim::run(kernel, sim::load_gpu("tiny")).by_pc.empty());
}

}  // namespace
}  // namespace heddle::test
