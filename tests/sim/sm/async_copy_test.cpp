// How long asynchronous copies take, and what waits for them.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/both_modes.h"

namespace heddle::test {
namespace {

// R2 is the lane's word of the buffer, R4 its word of shared memory.
constexpr const char* kHead =
    "S2R R0, SR_LANEID\nIMAD.WIDE.U32 R2, R0, 0x4, c[data]\nSHF.L.U32 R4, R0, 0x2, RZ\nIADD3 R3, R3, RZ, RZ\n"
    "IADD3 R4, R4, RZ, RZ\nNANOSLEEP 0x64\n";

struct Run {
  Timeline timeline;
  TextKernel kernel;

  [[nodiscard]] Cycle at(const char* label) const { return timeline.cycles_at(kernel.pc_of(label)).front(); }
};

Run run(const std::string& body, const sim::GpuSpec& spec) {
  TextKernel kernel(kHead + body, {.x = 32}, {}, ".param data ptr\n.shared tile 8192");
  kernel.add_buffer("data", 65536);
  Timeline timeline = run_both(kernel, spec);
  return {std::move(timeline), std::move(kernel)};
}

/// Nothing but latency counts.
sim::GpuSpec unloaded(const char* gpu) { return sim::load_gpu(gpu, {"dram.bandwidth_gbps=1e6"}); }

/// What a copy adds to a load that hits L1.
Cycle write_time(const sim::GpuSpec& spec) {
  return spec.sm.timing(ir::TimingClass::CopyToShared).latency - spec.l1.latency;
}

std::string copies(unsigned count, const std::string& between = "") {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("LDGSTS.E [R4+{0:#x}], [R2.64+{0:#x}]\n{1}", 128 * i, between);
  }
  return text;
}

TEST_CASE("a copy takes what a load takes, and the time to write shared memory") {
  for (const char* gpu : {"tiny", "a100", "rtx3080", "h100", "b200"}) {
    INFO(gpu);
    const sim::GpuSpec spec = unloaded(gpu);
    const Run cold = run("copy:\nLDGSTS.E [R4], [R2.64]\nLDGDEPBAR\nwait:\nDEPBAR.LE SB0, 0x0", spec);
    CHECK(cold.at("wait") - cold.at("copy") == spec.dram.latency + write_time(spec));
    const Run warm = run(
        "LDG.E R5, [R2.64]\nMOV R5, R5\ncopy:\nLDGSTS.E [R4], [R2.64]\nLDGDEPBAR\nwait:\nDEPBAR.LE SB0, 0x0",
        spec);
    CHECK(warm.at("wait") - warm.at("copy") == spec.l1.latency + write_time(spec));
  }
  // Measured on compute capability 8.6 (arXiv 2503.20481, Table 2).
  CHECK(sim::load_gpu("rtx3080").l1.latency + write_time(sim::load_gpu("rtx3080")) == 39);
}

TEST_CASE("n copies under way cost one latency, n copies one by one n") {
  const sim::GpuSpec spec = unloaded("h100");
  for (const unsigned count : {1U, 2U, 5U, 8U}) {
    INFO(count << " copies");
    const Run together = run("first:\n" + copies(count) + "LDGDEPBAR\nwait:\nDEPBAR.LE SB0, 0x0", spec);
    const Cycle queue = (count - 1) * spec.sm.mio.address_interval;
    const Cycle latency = spec.dram.latency + write_time(spec);
    CHECK(together.at("wait") - together.at("first") == latency + queue);
    const Run apart = run("first:\n" + copies(count, "LDGDEPBAR\nDEPBAR.LE SB0, 0x0\n") + "end:\nNOP", spec);
    CHECK(apart.at("end") - apart.at("first") == count * (latency + 1));
  }
}

TEST_CASE("the wait for copies is on the long scoreboard") {
  const sim::GpuSpec spec = unloaded("h100");
  const Run one = run("copy:\nLDGSTS.E [R4], [R2.64]\nLDGDEPBAR\nwait:\nDEPBAR.LE SB0, 0x0", spec);
  CHECK(one.timeline.result.total.stalls[ir::StallReason::LongScoreboard] ==
        one.at("wait") - one.at("copy") - 2);
}

TEST_CASE("a wait leaves as many of the last groups under way as it says") {
  const sim::GpuSpec spec = unloaded("h100");
  const Cycle latency = spec.dram.latency + write_time(spec);
  const std::string groups =
      "first:\nLDGSTS.E [R4], [R2.64]\nLDGDEPBAR\nNANOSLEEP 0x3c\nsecond:\nLDGSTS.E [R4+0x80], "
      "[R2.64+0x80]\nLDGDEPBAR\nNANOSLEEP 0x3c\nthird:\nLDGSTS.E [R4+0x100], "
      "[R2.64+0x100]\nLDGDEPBAR\n";
  const Run all = run(groups +
                          "three:\nDEPBAR.LE SB0, 0x3\ntwo:\nDEPBAR.LE SB0, 0x2\none:\nDEPBAR.LE SB0, 0x1\n"
                          "none:\nDEPBAR.LE SB0, 0x0",
                      spec);
  CHECK(all.at("three") == all.at("third") + 2);
  CHECK(all.at("two") == all.at("first") + latency);
  CHECK(all.at("one") == all.at("second") + latency);
  CHECK(all.at("none") == all.at("third") + latency);
}

TEST_CASE("copies that no group holds yet are not waited for, and an empty group costs nothing") {
  const sim::GpuSpec spec = unloaded("h100");
  const Run open =
      run("copy:\nLDGSTS.E [R4], [R2.64]\nwait:\nDEPBAR.LE SB0, 0x0\nclose:\nLDGDEPBAR\n"
          "again:\nDEPBAR.LE SB0, 0x0",
          spec);
  CHECK(open.at("wait") == open.at("copy") + 1);
  CHECK(open.at("again") == open.at("copy") + spec.dram.latency + write_time(spec));
  const Run empty =
      run("LDGSTS.E [R4], [R2.64]\nLDGDEPBAR\nLDGDEPBAR\nLDGDEPBAR\nlast:\nLDGDEPBAR\n"
          "wait:\nDEPBAR.LE SB0, 0x4",
          spec);
  CHECK(empty.at("wait") == empty.at("last") + 1);
}

TEST_CASE("a copy past L1 leaves nothing there, another does") {
  const sim::GpuSpec spec = unloaded("h100");
  const std::string body =
      "MOV R6, R2\nMOV R7, R3\nSHF.L.U32 R4, R0, 0x4, RZ\nIMAD.WIDE.U32 R6, R0, 0x10, c[data]\n"
      "IADD3 R7, R7, RZ, RZ\nNANOSLEEP 0x64\nLDGSTS.E{}.128 [R4], [R6.64]\nLDGDEPBAR\n"
      "DEPBAR.LE SB0, 0x0\nload:\nLDG.E R8, [R6.64]\nuse:\nMOV R8, R8";
  const Run past = run(fmt::format(fmt::runtime(body), ".BYPASS"), spec);
  CHECK(past.at("use") - past.at("load") >= spec.l2.latency);
  CHECK(past.timeline.result.total.memory.l1_miss_sectors == 32);  // 16 twice
  const Run through = run(fmt::format(fmt::runtime(body), ""), spec);
  CHECK(through.at("use") - through.at("load") < spec.l2.latency);
  CHECK(through.timeline.result.total.memory.l1_miss_sectors == 16);
  CHECK(through.timeline.result.total.memory.l1_hit_sectors == 16);
}

TEST_CASE("bank conflicts of what is written add a cycle each") {
  const sim::GpuSpec spec = unloaded("h100");
  for (const unsigned ways : {1U, 2U, 8U, 32U}) {
    INFO(ways << " ways");
    const Run conflicted =
        run(fmt::format("IMAD R4, R0, {:#x}, RZ\nIADD3 R4, R4, RZ, RZ\ncopy:\nLDGSTS.E [R4], [R2.64]\n"
                        "LDGDEPBAR\nwait:\nDEPBAR.LE SB0, 0x0",
                        4 * ways),
            spec);
    CHECK(conflicted.at("wait") - conflicted.at("copy") == spec.dram.latency + write_time(spec) + ways - 1);
    const sim::MemoryCounters& memory = conflicted.timeline.result.total.memory;
    CHECK(memory.shared_store_requests == 1);
    CHECK(memory.shared_store_passes == ways);
    CHECK(memory.global_load_requests == 1);
    CHECK(memory.global_load_sectors == 4);
  }
}

TEST_CASE("many warps that copy and wait give the same by jumps and cycle by cycle") {
  const std::string body =
      "S2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, c[data]\nSHF.L.U32 R4, R0, 0x2, RZ\n" +
      copies(6, "LDGDEPBAR\nDEPBAR.LE SB0, 0x2\n") + "DEPBAR.LE SB0, 0x0\nBAR.SYNC 0x0\n" + copies(4) +
      "LDGDEPBAR\nDEPBAR.LE SB0, 0x0";
  for (const char* gpu : {"tiny", "textbook"}) {
    TextKernel kernel(body, {.x = 160}, {.x = 5}, ".param data ptr\n.shared tile 2048");
    kernel.add_buffer("data", 65536);
    run_both(kernel, sim::load_gpu(gpu));
  }
}

}  // namespace
}  // namespace heddle::test
