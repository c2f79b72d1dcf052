// What memory fences cost, and what they wait for.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/load.h"
#include "tests/support/both_modes.h"

namespace heddle::test {
namespace {

constexpr const char* kAddress = "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\n";

Cycle latency_of(const sim::GpuSpec& spec, ir::TimingClass timing_class) {
  return spec.sm.timing(timing_class).latency;
}

struct Fence {
  Cycle issue = 0;
  Cycle cost = 0;  ///< Until the next instruction.
};

Fence fence_after(const std::string& before, const std::string& fence, const sim::GpuSpec& spec) {
  TextKernel kernel(kAddress + before + "\nfence:\n" + fence + "\nafter:\nNOP", {.x = 32}, {},
                    ".param data ptr");
  kernel.add_buffer("data", 65536);
  const Timeline run = run_both(kernel, spec);
  const Cycle issue = run.cycles_at(kernel.pc_of("fence")).front();
  const Cycle cost = run.cycles_at(kernel.pc_of("after")).front() - issue;
  CHECK(run.result.total.stalls[ir::StallReason::Membar] == cost - 1);
  return {issue, cost};
}

TEST_CASE("a fence by itself costs its latency, and one for the GPU the way to L2 and back") {
  for (const char* gpu : {"tiny", "v100", "a100", "rtx3080", "h100", "b200"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Cycle cta = latency_of(spec, ir::TimingClass::Membar);
    const Cycle sys = latency_of(spec, ir::TimingClass::MembarSys);
    for (const char* order : {"SC", "ALL"}) {
      CHECK(fence_after("", fmt::format("MEMBAR.{}.CTA", order), spec).cost == cta);
      CHECK(fence_after("", fmt::format("MEMBAR.{}.GPU", order), spec).cost ==
            std::max<Cycle>(spec.l2.latency, cta));
      CHECK(fence_after("", fmt::format("MEMBAR.{}.SYS", order), spec).cost ==
            std::max<Cycle>(spec.l2.latency, sys));
    }
  }
  // Without L2, to memory and back.
  const sim::GpuSpec textbook = sim::load_gpu("textbook");
  CHECK(fence_after("", "MEMBAR.SC.GPU", textbook).cost == textbook.dram.latency);
}

TEST_CASE("a fence that no lane executes holds nobody up") {
  for (const char* gpu : {"tiny", "v100", "h100"}) {
    INFO(gpu);
    for (const char* scope : {"CTA", "GPU", "SYS"}) {
      const std::string store = "ISETP.NE.AND P0, PT, RZ, RZ, PT\nSTG.E [R2.64], RZ\nNANOSLEEP 0x64";
      CHECK(fence_after(store, fmt::format("@P0 MEMBAR.SC.{}", scope), sim::load_gpu(gpu)).cost == 1);
    }
  }
}

TEST_CASE("a fence goes behind the warp's stores") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"l2.partitions=1", "l2.slices=1"});
  // The fence issues a cycle after the store and reaches the shared stage an address_interval after it.
  const Cycle interval = spec.sm.mio.address_interval;
  REQUIRE(interval > 1);
  CHECK(fence_after("STG.E [R2.64], RZ", "MEMBAR.SC.GPU", spec).cost == spec.l2.latency + interval - 1);
  CHECK(fence_after("STG.E [R2.64], RZ", "MEMBAR.SC.CTA", spec).cost == 53 + interval - 1);
  // Each further store keeps the fence another interval.
  for (const unsigned more : {1U, 2U, 3U}) {
    const std::string stores = repeat("STG.E [R2.64], RZ", 1 + more);
    CHECK(fence_after(stores, "MEMBAR.SC.GPU", spec).cost == spec.l2.latency + (1 + more) * (interval - 1));
  }
}

TEST_CASE("a fence for the GPU waits until L2 has taken the stores, one for the block does not") {
  const sim::GpuSpec spec =
      sim::load_gpu("h100", {"l2.partitions=1", "l2.slices=1", "l2.sectors_per_cycle=1", "l2.efficiency=1"});
  // 512 bytes are 16 sectors, 16 cycles of the only slice, from when the store gets there. The fence issues a
  // cycle after the store.
  const std::string store =
      "S2R R0, SR_LANEID\nIMAD.WIDE.U32 R4, R0, 0x10, R2\nMOV R5, R5\nNANOSLEEP 0x64\nSTG.E.128 [R4.64], RZ";
  CHECK(fence_after(store, "MEMBAR.SC.GPU", spec).cost == spec.l2.latency + 16 - 1);
  CHECK(fence_after(store, "MEMBAR.SC.CTA", spec).cost == 53 + spec.sm.mio.address_interval - 1);
}

TEST_CASE("a fence issues when what was loaded has come") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"l2.partitions=1"});
  for (const char* fence : {"MEMBAR.SC.CTA", "MEMBAR.SC.GPU"}) {
    TextKernel kernel(std::string(kAddress) + "load:\nLDG.E R4, [R2.64]\nfence:\n" + fence + "\nafter:\nNOP",
                      {.x = 32}, {}, ".param data ptr");
    kernel.add_buffer("data", 128);
    const Timeline run = run_both(kernel, spec);
    const Cycle load = run.cycles_at(kernel.pc_of("load")).front();
    CHECK(run.cycles_at(kernel.pc_of("fence")).front() == load + spec.dram.latency);
    CHECK(run.result.total.stalls[ir::StallReason::LongScoreboard] == spec.dram.latency - 1);
  }
}

TEST_CASE(
    "fences of many warps and SMs, between loads and stores, give the same by jumps and cycle by cycle") {
  const std::string body =
      "S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, c[data]\n" +
      repeat(
          "LDG.E R4, [R2.64]\nMEMBAR.SC.GPU\nIADD3 R4, R4, 0x1, RZ\nSTG.E [R2.64], R4\nMEMBAR.ALL.CTA\n"
          "STG.E [R2.64+0x400], R4\nMEMBAR.SC.SYS",
          4);
  for (const char* gpu : {"tiny", "textbook"}) {
    TextKernel kernel(body, {.x = 160}, {.x = 7}, ".param data ptr");
    kernel.add_buffer("data", 4096);
    run_both(kernel, sim::load_gpu(gpu));
  }
}

}  // namespace
}  // namespace heddle::test
