// What a cold launch waits for: its code, its parameters, its pages.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::StallReason;

// The numbers are round ones, and the same for every SM.
constexpr Cycle kCode = 300 + 40;
constexpr Cycle kConstant = 200;
constexpr Cycle kPage = 150;

sim::GpuSpec h100(bool is_cold) {
  return launching_at_once("h100",
                           {fmt::format("cold.enabled={}", is_cold), "l2.latency=300",
                            "sm.instruction_cache.l1_latency=40", "cold.constant_latency=200",
                            "cold.translation_latency=150", "l2.partitions=1", "l2.far_sectors_per_cycle=2"});
}

/// Cycles that the kernel takes longer where the launch is cold, the same if every cycle is visited.
Cycle price(TextKernel& kernel) {
  const Cycle warm = kernel.run(h100(false)).result.cycles;
  const Timeline cold = kernel.run(h100(true));
  CHECK(broken_laws(cold.result, h100(true)) == std::vector<std::string>{});
  CHECK(differences(cold.result, kernel.run(h100(true), mode(true)).result) == std::vector<std::string>{});
  return cold.result.cycles - warm;
}

/// They need nothing that was written: one a cycle.
std::string independent(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("FADD R{}, RZ, 1\n", 8 + i % 32);
  return text;
}

TEST_CASE("a cold launch waits once for its first line of code, the stream buffer brings the next eight") {
  for (const unsigned instructions : {1U, 7U, 8U, 30U, 9U * 8U}) {
    CAPTURE(instructions);
    TextKernel kernel(independent(instructions - 1), {.x = 32});
    CHECK(price(kernel) == kCode);
  }
}

// The tenth line is asked for when the second is taken, a line of eight instructions after the first.
TEST_CASE("the tenth line of code comes as late as L2 is further away than the eight before it are long") {
  TextKernel kernel(independent(10 * 8 - 1), {.x = 32});
  CHECK(price(kernel) == kCode + kCode - 8 * 8);
}

TEST_CASE("warps of a cold launch wait for the same lines, and so no longer than one") {
  TextKernel kernel(independent(20), {.x = 1024});
  CHECK(price(kernel) == kCode);
}

TEST_CASE("parameters of a cold launch come from L2 once the code that names them is there") {
  TextKernel kernel("MOV R0, c[blockDim.x]\nMOV R1, c[blockDim.y]\n", {.x = 32});
  CHECK(price(kernel) == kCode + kConstant);
}

/// Loads from places of the buffer, one after the other.
TextKernel loads(const std::vector<unsigned>& places) {
  std::string body = "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\n";
  for (const unsigned place : places)
    body += fmt::format("LDG.E R4, [R2.64+{:#x}]\nIADD3 R4, R4, RZ, RZ\n", place);
  TextKernel kernel(body, {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", 4U << 20);
  return kernel;
}

TEST_CASE("the first load from a page of a cold launch waits for the translation") {
  constexpr Cycle kBefore = kCode + kConstant;
  TextKernel one = loads({0});
  CHECK(price(one) == kBefore + kPage);
  TextKernel two = loads({0, 4096});
  CHECK(price(two) == kBefore + kPage);
  TextKernel other = loads({0, 4096, 2U << 20});
  CHECK(price(other) == kBefore + 2 * kPage);
}

TEST_CASE(
    "a warp whose code is there does not wait for the parameters that another one's code will ask for") {
  // Warp 0 goes on far away, and asks there for parameters after warp 1, whose line is the first.
  TextKernel kernel("S2R R0, SR_TID.X\nISETP.LT.AND P0, PT, R0, 0x20, PT\n@P0 BRA far\n" + independent(8) +
                        "near:\nMOV R1, c[blockDim.x]\nEXIT\n" + independent(120) +
                        "far:\nMOV R1, c[blockDim.x]\n",
                    {.x = 64});
  const Timeline run = kernel.run(h100(true));
  const Pc near = kernel.pc_of("near");
  const Cycle before = run.cycles_at(near - 1, 1).front();
  CHECK(run.cycles_at(near, 1).front() == before + 1 + kConstant);
  CHECK(run.cycles_at(kernel.pc_of("far"), 0).front() > run.cycles_at(near, 1).front());
}

TEST_CASE("a store to a page of a cold launch asks for its translation, and nobody waits for it") {
  const auto price_of = [](const char* body) {
    TextKernel kernel(std::string("LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\n") + body, {.x = 32}, {},
                      ".param data ptr");
    kernel.add_buffer("data", 128);
    return price(kernel) - kCode - kConstant;
  };
  CHECK(price_of("STG.E [R2.64], RZ\n") == 0);
  CHECK(price_of("STG.E [R2.64], RZ\nMEMBAR.SC.GPU\n") == 0);
  // The load is right behind the store, which has asked a few cycles before.
  const Cycle load = price_of("STG.E [R2.64], RZ\nLDG.E R4, [R2.64+0x40]\nIADD3 R4, R4, RZ, RZ\n");
  CHECK(load < kPage);
  CHECK(load > kPage - 20);
}

TEST_CASE("an atomic's old value comes later from a page that was not known") {
  TextKernel kernel(
      "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nATOMG.ADD PT, R4, [R2.64], RZ\nIADD3 R4, R4, RZ, RZ\n",
      {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", 128);
  CHECK(price(kernel) == kCode + kConstant + kPage);
}

TEST_CASE("what waits in a cold launch is told in its own words") {
  TextKernel kernel = loads({0});
  const sim::SmCounters total = kernel.run(h100(true)).result.total;
  CHECK(total.stalls[StallReason::NoInstruction] == kCode);
  const sim::SmCounters warm = kernel.run(h100(false)).result.total;
  CHECK(total.stalls[StallReason::LongScoreboard] == warm.stalls[StallReason::LongScoreboard] + kPage);
  // A warp that waits for code, and then for the constant that the code names, is charged to the last reason.
  TextKernel constant("MOV R1, c[blockDim.x]\n", {.x = 32});
  const sim::SmCounters both = constant.run(h100(true)).result.total;
  CHECK(both.stalls[StallReason::ImcMiss] == kCode + kConstant);
  CHECK(both.stalls[StallReason::NoInstruction] == 0);
}

}  // namespace
}  // namespace heddle::test
