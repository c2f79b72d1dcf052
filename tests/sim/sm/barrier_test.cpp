// What a block barrier costs, and whom it waits for.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tests/support/barrier_opening.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

constexpr Pc kBarrier = 0;

std::vector<Cycle> all_at(const Timeline& run, Pc pc) {
  std::vector<Cycle> cycles;
  for (const sim::WarpIssued& event : run.issued) {
    if (event.pc == pc) cycles.push_back(event.cycle);
  }
  REQUIRE_FALSE(cycles.empty());
  return cycles;
}

Cycle first_at(const Timeline& run, Pc pc) {
  const std::vector<Cycle> cycles = all_at(run, pc);
  return *std::min_element(cycles.begin(), cycles.end());
}

Cycle last_at(const Timeline& run, Pc pc) {
  const std::vector<Cycle> cycles = all_at(run, pc);
  return *std::max_element(cycles.begin(), cycles.end());
}

Timeline meet(const sim::GpuSpec& spec, unsigned warps, bool visit_every_cycle, unsigned blocks = 1) {
  TextKernel kernel("BAR.SYNC 0x0\nNOP", {.x = 32 * warps}, {.x = blocks});
  Timeline run = kernel.run(spec, mode(visit_every_cycle));
  CHECK(broken_laws(run.result, spec).empty());
  return run;
}

TEST_CASE("W warps that come together pass a barrier base + per_warp x W after the first of them") {
  // 22 + 2 W is what was measured on hardware; every W meets another cycle of the wheel that wakes warps.
  for (const char* gpu : {"h100", "a100", "v100"}) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    for (unsigned warps = 1; warps <= 32; ++warps) {
      INFO(gpu << ", " << warps << " warps");
      for (const bool visit_every_cycle : {false, true}) {
        const Timeline run = meet(spec, warps, visit_every_cycle);
        CHECK(first_at(run, kBarrier + 1) - first_at(run, kBarrier) == 22 + 2 * warps);
      }
    }
  }
}

TEST_CASE("barriers one after another cost base + per_warp x W each") {
  const sim::GpuSpec spec = launching_at_once("b200");
  for (const unsigned warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
    INFO(warps << " warps");
    TextKernel kernel(repeat("BAR.SYNC 0x0", 10), {.x = 32 * warps});
    const Timeline run = kernel.run(spec);
    for (Pc pc = 1; pc < 10; ++pc) CHECK(first_at(run, pc) - first_at(run, pc - 1) == 22 + 2 * warps);
  }
}

TEST_CASE("a barrier costs what the GPU file says") {
  for (const unsigned base : {0U, 1U, 30U, 56U, 60U, 61U, 62U, 63U, 64U, 65U, 66U, 500U}) {
    for (const unsigned per_warp : {0U, 1U, 5U}) {
      const sim::GpuSpec spec = launching_at_once(
          "tiny", {fmt::format("sm.barrier.base={}", base), fmt::format("sm.barrier.per_warp={}", per_warp)});
      for (const unsigned warps : {1U, 2U, 4U, 7U, 16U}) {
        INFO("base " << base << ", per_warp " << per_warp << ", " << warps << " warps");
        for (const bool visit_every_cycle : {false, true}) {
          const Timeline run = meet(spec, warps, visit_every_cycle);
          const Cycle next = last_at(run, kBarrier) + 1;  // the next issue is a cycle later at least
          CHECK(first_at(run, kBarrier + 1) ==
                std::max(next, opening(all_at(run, kBarrier), spec.sm.barrier)));
        }
      }
    }
  }
}

TEST_CASE("the warps of all blocks of an SM pass one unit") {
  // Two blocks of 16 warps: the last of 32 is taken 2 x 32 after the first came.
  const sim::GpuSpec spec = launching_at_once("h100", {"sms=1"});
  const Timeline run = meet(spec, 16, false, 2);
  const std::vector<Cycle> after = all_at(run, kBarrier + 1);
  REQUIRE(after.size() == 32);
  CHECK(opening(all_at(run, kBarrier), spec.sm.barrier) == first_at(run, kBarrier) + 22 + 2 * 32);
  CHECK(std::count_if(after.begin(), after.end(),
                      [&](Cycle cycle) { return cycle >= first_at(run, kBarrier) + 22 + 2 * 32; }) == 16);
}

TEST_CASE("no warp passes a barrier before the last one has arrived") {
  // Warp 3 comes 40 x 17 cycles late.
  const std::string body =
      "S2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x60, PT\n@P0 BRA meet\nMOV R1, RZ\n" +
      repeat("MUFU.EX2 R1, R1", 40) + "meet:\nBAR.SYNC 0x0\nafter:\nNOP";
  TextKernel kernel(body, {.x = 128});
  const sim::GpuSpec spec = launching_at_once("h100");
  const Timeline run = kernel.run(spec);
  const Cycle arrival = run.cycles_at(kernel.pc_of("meet"), 3).front();
  CHECK(last_at(run, kernel.pc_of("meet")) == arrival);
  // The others were taken long before.
  CHECK(first_at(run, kernel.pc_of("after")) == arrival + 22 + 2);
  CHECK(arrival > run.cycles_at(kernel.pc_of("meet"), 0).front() + 39 * 17);
}

TEST_CASE("warps that have exited are not waited for") {
  // Warps 1 to 3 exit at once, warp 0 meets itself: the last arrival is its own, and it alone counts.
  TextKernel kernel(
      "S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 EXIT\nmeet:\nBAR.SYNC 0x0\nafter:\nNOP",
      {.x = 128});
  const Timeline run = kernel.run(launching_at_once("h100"));
  CHECK(run.cycles_at(kernel.pc_of("after"), 0).front() - run.cycles_at(kernel.pc_of("meet"), 0).front() ==
        22 + 2);
}

TEST_CASE("the last warp to exit frees those who wait at a barrier") {
  // Warp 0 waits; warp 1 computes for 20 x 17 cycles and exits without coming to the barrier.
  const std::string body =
      "S2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA meet\nMOV R1, RZ\n" +
      repeat("MUFU.EX2 R1, R1", 20) + "gone:\nEXIT\nmeet:\nBAR.SYNC 0x0\nafter:\nNOP";
  TextKernel kernel(body, {.x = 64});
  const Timeline run = kernel.run(launching_at_once("h100"));
  const Cycle gone = run.cycles_at(kernel.pc_of("gone"), 1).front();
  CHECK(run.cycles_at(kernel.pc_of("meet"), 0).front() < gone);
  CHECK(run.cycles_at(kernel.pc_of("after"), 0).front() == gone + 22 + 2);
}

TEST_CASE("a result that is still missing does not shorten the wait at a barrier") {
  // An LDS issued right before the barrier is back long before the barrier opens.
  const std::string body = "LDS R0, [RZ]\nmeet:\nBAR.SYNC 0x0\nafter:\nIADD3 R1, R0, RZ, RZ";
  for (const bool visit_every_cycle : {false, true}) {
    for (const unsigned warps : {1U, 2U, 5U, 16U}) {
      INFO(warps << " warps");
      TextKernel kernel(body, {.x = 32 * warps}, {}, ".shared words 128");
      const Timeline run = kernel.run(launching_at_once("h100"), mode(visit_every_cycle));
      const Cycle first = first_at(run, kernel.pc_of("meet"));
      CHECK(first_at(run, kernel.pc_of("after")) >= first + 22 + 2 * warps);
    }
  }
}

}  // namespace
}  // namespace heddle::test
