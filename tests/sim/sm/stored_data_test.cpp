// Loads of what the warp itself has stored, or changed by an atomic: from L1 or from L2.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/both_modes.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

/// Cycles of the load behind these instructions, which may use R2, the address of the lane's word.
Cycle load_after(const std::string& before, const std::string& load, const sim::GpuSpec& spec) {
  TextKernel kernel(
      fmt::format(
          "S2R R0, SR_LANEID\nMOV R8, RZ\nIMAD.WIDE.U32 R2, R0, 0x4, c[data]\n{}\nMEMBAR.SC.GPU\nload:\n{}\n"
          "IADD3 R9, R8, RZ, RZ",
          before, load),
      {.x = 32}, {}, ".param data ptr\n.local 16");
  kernel.add_buffer("data", 128);
  const Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec).empty());
  const Pc pc = kernel.pc_of("load");
  return run.cycles_at(pc + 1).front() - run.cycles_at(pc).front();
}

constexpr const char* kLoad = "LDG.E R8, [R2.64]";

TEST_CASE("a warp finds what it has stored in L1, but on Pascal in L2") {
  for (const char* gpu : {"p100", "v100", "t4", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = launching_at_once(gpu);
    const Cycle expected = std::string(gpu) == "p100" ? spec.l2.latency : spec.l1.latency;
    CHECK(load_after("STG.E [R2.64], R0", kLoad, spec) == expected);
    CHECK(load_after("STL [RZ], R0", "LDL R8, [RZ]", spec) == expected);  // a spill
  }
}

TEST_CASE("sectors that a store does not fill are not in L1") {
  const sim::GpuSpec spec = launching_at_once("h100");
  CHECK(load_after("STG.E.U8 [R2.64], R0", kLoad, spec) == spec.l2.latency);
  // 20 lanes fill two sectors and a half: for 16 lanes all is there.
  const std::string store = "ISETP.LT.AND P0, PT, R0, 0x14, PT\n@P0 STG.E [R2.64], R0";
  CHECK(load_after(store, "@P0 LDG.E R8, [R2.64]", spec) == spec.l2.latency);
  const std::string fewer = store + "\nISETP.LT.AND P0, PT, R0, 0x10, PT";
  CHECK(load_after(fewer, "@P0 LDG.E R8, [R2.64]", spec) == spec.l1.latency);
}

TEST_CASE("what an atomic has changed comes from L2") {
  for (const char* gpu : {"p100", "v100", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = launching_at_once(gpu);
    CHECK(load_after("LDG.E R8, [R2.64]", kLoad, spec) == spec.l1.latency);
    for (const char* atomic : {"RED.E.ADD [R2.64], R0", "ATOMG.E.ADD PT, R7, [R2.64], R0"})
      CHECK(load_after(fmt::format("LDG.E R8, [R2.64]\n{}", atomic), kLoad, spec) == spec.l2.latency);
  }
}

TEST_CASE("behind CCTL.IVALL, what was loaded or stored comes from L2") {
  for (const char* gpu : {"p100", "v100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = launching_at_once(gpu);
    CHECK(load_after("LDG.E R8, [R2.64]", kLoad, spec) == spec.l1.latency);
    CHECK(load_after("LDG.E R8, [R2.64]\nCCTL.IVALL", kLoad, spec) == spec.l2.latency);
    CHECK(load_after("STG.E [R2.64], R0\nCCTL.IVALL", kLoad, spec) == spec.l2.latency);
    CHECK(load_after("STL [RZ], R0\nCCTL.IVALL", "LDL R8, [RZ]", spec) == spec.l2.latency);
    // What no lane executes does nothing.
    const std::string nobody = "LDG.E R8, [R2.64]\nISETP.LT.AND P0, PT, RZ, RZ, PT\n@P0 CCTL.IVALL";
    CHECK(load_after(nobody, kLoad, spec) == spec.l1.latency);
    // The warp's earlier loads come before, though they may wait for their turn.
    const std::string after = "CCTL.IVALL\nLDG.E R8, [R2.64]";
    CHECK(load_after(after, kLoad, spec) == spec.l1.latency);
  }
}

TEST_CASE("CCTL.IVALL empties L1 for all warps of the SM") {
  // Warp 0 empties it between two loads of warp 1, which a block barrier keeps apart.
  const auto second_load = [](const std::string& between, const sim::GpuSpec& spec) {
    TextKernel kernel(
        fmt::format("S2R R0, SR_TID.X\nS2R R1, SR_LANEID\nIMAD.WIDE.U32 R2, R1, 0x4, c[data]\n"
                    "ISETP.LT.AND P0, PT, R0, 0x20, PT\nLDG.E R8, [R2.64]\nMEMBAR.SC.CTA\nBAR.SYNC 0x0\n"
                    "{}\nBAR.SYNC 0x0\n@P0 EXIT\nload:\nLDG.E R8, [R2.64]\nIADD3 R9, R8, RZ, RZ",
                    between),
        {.x = 64}, {}, ".param data ptr");
    kernel.add_buffer("data", 128);
    const Timeline run = run_both(kernel, spec);
    const Pc pc = kernel.pc_of("load");
    return run.cycles_at(pc + 1, 1).front() - run.cycles_at(pc, 1).front();
  };
  const sim::GpuSpec spec = launching_at_once("h100");
  CHECK(second_load("NOP", spec) == spec.l1.latency);
  CHECK(second_load("@P0 CCTL.IVALL", spec) == spec.l2.latency);
}

}  // namespace
}  // namespace heddle::test
