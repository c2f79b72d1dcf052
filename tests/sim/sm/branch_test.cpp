// When the instruction after a branch issues, and how warps share a scheduler's slots.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

TEST_CASE("the instruction after a branch issues the branch's latency later, taken or not") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100", "textbook"}) {
    for (const char* guard : {"", "@PT ", "@!PT "}) {
      INFO(gpu << ": " << guard << "BRA");
      const sim::GpuSpec spec = sim::load_gpu(gpu);
      TextKernel kernel(std::string(guard) + "BRA there\nNOP\nthere:\nNOP", {.x = 32});
      const Cycle latency = spec.sm.timing(ir::TimingClass::Branch).latency;
      CHECK(steps(kernel.run(spec).cycles(0)).front() == latency);
    }
  }
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"sm.instructions.branch.latency=71"});
  CHECK(steps(TextKernel("BRA there\nthere:\nNOP", {.x = 32}).run(spec).cycles(0)).front() == 71);
}

TEST_CASE("both paths of a divergent branch start where the path before ends") {
  // Lanes 0 to 15 go to `taken`. The fall-through path runs first: its NOP issues the branch's latency (11 on
  // an H100) after the branch; the path ends at the reconvergence point, so the other one goes on right
  // behind its BRA.
  TextKernel kernel(
      "S2R R0, SR_LANEID\nISETP.LT.U32.AND P0, PT, R0, 0x10, PT\nsplit:\n@P0 BRA taken\nNOP\nBRA "
      "join\ntaken:\nNOP\n"
      "join:\nNOP",
      {.x = 32});
  const Timeline run = kernel.run(sim::load_gpu("h100"));
  const Pc split = kernel.pc_of("split");
  const Cycle at = run.cycles_at(split).front();
  CHECK(run.cycles_at(split + 1) == std::vector<Cycle>{at + 11});  // fall-through
  CHECK(run.cycles_at(split + 2) == std::vector<Cycle>{at + 12});  // its BRA join
  CHECK(run.cycles_at(kernel.pc_of("taken")) == std::vector<Cycle>{at + 12 + 11});
  CHECK(run.cycles_at(kernel.pc_of("join")) == std::vector<Cycle>{at + 12 + 11 + 1});
  CHECK(run.result.total.branches == 2);
  CHECK(run.result.total.divergent_branches == 1);
}

TEST_CASE("lanes also part where a register says where they go") {
  // Even lanes go to `one`, odd ones to `two`; or all to `one`.
  const auto branches_of = [](const char* mask) {
    TextKernel kernel(
        fmt::format(
            "S2R R0, SR_LANEID\nLOP3.LUT R0, R0, {}, RZ, 0xc0, !PT\nMOV R1, one\nIMAD R0, R0, 0x2, R1\n"
            "BRX R0\none:\nNOP\nBRA join\ntwo:\nNOP\njoin:\nNOP",
            mask),
        {.x = 32});
    for (const char* mechanism : {"stack", "barrier"}) {
      const sim::SmCounters total =
          kernel.run(sim::load_gpu("h100", {std::string("sm.divergence=") + mechanism})).result.total;
      CHECK(total.branches == 2);
      CHECK(total.divergent_branches == (std::string_view(mask) == "0x1" ? 1 : 0));
    }
  };
  branches_of("0x1");
  branches_of("0x0");
}

TEST_CASE("two warps fill each other's gaps as the diagram says") {
  // One sub-partition, greedy then oldest, FADDs of latency 4 and interval 1, two warps with chains of 3:
  //
  //   cycle   0  1  2  3  4  5  6  7  8  9 10
  //   warp 0  F0          F1          F2  E       E is EXIT: nothing to wait for
  //   warp 1     F0          F1             F2 E  F2 could have issued at 9, but the slot was warp 0's
  //
  const sim::GpuSpec spec = sim::load_gpu(
      "tiny", {"sm.sub_partitions=1", "sms=1", "occupancy.register_partitions=1", "sm.scheduler=gto"});
  TextKernel kernel("FADD R0, RZ, RZ\nFADD R0, R0, R0\nFADD R0, R0, R0", {.x = 64});
  const Timeline run = kernel.run(spec);
  const Cycle start = run.cycles(0).front();
  CHECK(start == spec.dispatch.kernel_launch);
  CHECK(run.cycles(0) == std::vector<Cycle>{start, start + 4, start + 8, start + 9});
  CHECK(run.cycles(1) == std::vector<Cycle>{start + 1, start + 5, start + 10, start + 11});
  // 12 cycles of two warps: warp 0 is resident for 10, warp 1 for 12.
  CHECK(run.result.total.resident_warp_cycles == 22);
  CHECK(run.result.total.stalls[ir::StallReason::NotSelected] == 2);  // warp 1 at 0 and at 9
  CHECK(run.result.total.stalls[ir::StallReason::Wait] == 3 + 3 + 3 + 3);
  CHECK(run.result.total.issue_slots.stalled[ir::StallReason::Wait] == 4);  // cycles 2, 3, 6, 7
}

TEST_CASE("two warps by round robin take turns as the diagram says") {
  // As above, but whoever did not issue last goes first:
  //
  //   cycle   0  1  2  3  4  5  6  7  8  9 10 11
  //   warp 0  F0          F1          F2     E
  //   warp 1     F0          F1          F2     E
  //
  const sim::GpuSpec spec = sim::load_gpu(
      "tiny", {"sm.sub_partitions=1", "sms=1", "occupancy.register_partitions=1", "sm.scheduler=lrr"});
  TextKernel kernel("FADD R0, RZ, RZ\nFADD R0, R0, R0\nFADD R0, R0, R0", {.x = 64});
  const Timeline run = kernel.run(spec);
  const Cycle start = run.cycles(0).front();
  CHECK(run.cycles(0) == std::vector<Cycle>{start, start + 4, start + 8, start + 10});
  CHECK(run.cycles(1) == std::vector<Cycle>{start + 1, start + 5, start + 9, start + 11});
}

TEST_CASE("a load that comes back while a branch resolves does not resolve the branch") {
  // LDS at 0, known at 11, back at 29 on an H100; the branch at 1 + k resolves 11 cycles later, whatever the
  // load does. The instruction behind it needs both.
  for (unsigned nops = 0; nops < 40; ++nops) {
    for (const bool visit_every_cycle : {false, true}) {
      INFO(nops << " NOPs between the load and the branch");
      TextKernel kernel("LDS R0, [RZ]\n" + repeat("NOP", nops) + "BRA there\nthere:\nIADD3 R1, R0, RZ, RZ",
                        {.x = 32}, {}, ".shared words 128");
      const Timeline run = kernel.run(sim::load_gpu("h100"), mode(visit_every_cycle));
      const Cycle branch_resolved = 1 + nops + 11;
      const Cycle use = run.cycles_at(kernel.pc_of("there")).front() - run.cycles(0).front();
      CHECK(use == std::max<Cycle>(branch_resolved, 29));
    }
  }
}

TEST_CASE("a global load that comes back while a branch resolves does not resolve the branch") {
  // An L1 miss that hits L2 or DRAM: what comes back is known only when it is there, at 656.
  for (const Cycle branch_at : {600U, 640U, 644U, 645U, 646U, 650U, 655U, 656U, 700U}) {
    INFO("branch at " << branch_at);
    TextKernel kernel("LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nload:\nLDG.E R0, [R2.64]\n" +
                          repeat("NOP", static_cast<unsigned>(branch_at) - 1) +
                          "BRA there\nthere:\nIADD3 R1, R0, RZ, RZ",
                      {.x = 32}, {}, ".param data ptr");
    kernel.add_buffer("data", 128);
    const Timeline run = kernel.run(sim::load_gpu("h100", {"l2.partitions=1", "dram.latency=656"}));
    const Cycle use =
        run.cycles_at(kernel.pc_of("there")).front() - run.cycles_at(kernel.pc_of("load")).front();
    CHECK(use == std::max<Cycle>(branch_at + 11, 656));
  }
}

}  // namespace
}  // namespace heddle::test
