// Instructions with control codes: a warp waits for its stall count and for the dependence barriers that it
// names, and for nothing else. What is expected follows from the codes and from latencies of the GPU file.
#include <fmt/format.h>

#include <random>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::ControlCode;
using ir::StallReason;
using ir::TimingClass;

std::string line(const ControlCode& code, std::string_view instruction) {
  return fmt::format("[{}] {}\n", to_text(code), instruction);
}

ControlCode stalls(unsigned cycles) { return {.stall = cycles & ir::kMostStall}; }

ControlCode waits(unsigned barrier) { return {.stall = 1, .wait_mask = (1U << barrier) & ir::kEveryBarrier}; }

ControlCode writes(unsigned barrier, unsigned stall = 1) {
  return {.stall = stall & ir::kMostStall, .write_barrier = barrier & ir::kNoBarrier};
}

ControlCode reads(unsigned barrier) { return {.stall = 1, .read_barrier = barrier & ir::kNoBarrier}; }

ControlCode drawn_code(std::mt19937& random) {
  ControlCode code{.yield = random() % 2 == 0};
  code.stall = random() & ir::kMostStall;
  code.write_barrier = random() & ir::kNoBarrier;
  code.read_barrier = random() & ir::kNoBarrier;
  code.wait_mask = random() & ir::kEveryBarrier;
  return code;
}

Timeline run_of(const std::string& body, const sim::GpuSpec& spec, unsigned threads = 32) {
  TextKernel kernel(body, {.x = threads}, {}, ".shared words 128\n.local 16");
  Timeline run = kernel.run(spec, mode(false));
  CHECK(broken_laws(run.result, spec).empty());
  CHECK(differences(run.result, kernel.run(spec, mode(true)).result).empty());
  return run;
}

/// The differences between the issues of one warp, from the first instruction of the body to the EXIT behind
/// it.
std::vector<Cycle> steps_of(const std::string& body, const sim::GpuSpec& spec) {
  return steps(run_of(body, spec).cycles(0));
}

Cycle latency_of(const sim::GpuSpec& spec, TimingClass timing_class) {
  return spec.sm.timing(timing_class).latency;
}

TEST_CASE("a chain takes the sum of its stall counts, whatever the latency of its registers is") {
  constexpr unsigned kLinks = 10;
  for (const char* gpu : {"tiny", "v100", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    for (const unsigned stall : {4U, 5U, 9U, 15U}) {
      INFO(gpu << " " << stall);
      const Timeline run = run_of(
          line(stalls(stall), "MOV R0, RZ") + repeat(line(stalls(stall), "FFMA R0, RZ, RZ, R0"), kLinks),
          spec);
      CHECK(steps(run.cycles(0)) == std::vector<Cycle>(kLinks + 1, stall));
      // All that the warp waits for between its first and its last instruction are stall counts.
      CHECK(run.result.total.stalls[StallReason::Wait] >= kLinks * (stall - 1));
    }
  }
}

TEST_CASE("who comes too early for a register is not held back, as on hardware") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sm.instructions.alu.latency=9"});
  CHECK(steps_of(
            line(stalls(1), "MOV R0, RZ") + line(stalls(2), "NOP") + line(stalls(1), "IADD3 R1, R0, R0, RZ"),
            spec) == std::vector<Cycle>{1, 2, 1});
  CHECK(steps_of("MOV R0, RZ\nNOP\nIADD3 R1, R0, R0, RZ", spec) == std::vector<Cycle>{1, 8, 1});
}

TEST_CASE("a stall count of 0 is a cycle, and a warp that yields leaves out the next cycle") {
  const ControlCode yields = {.yield = true, .stall = 1};
  const ControlCode both = {.yield = true, .stall = 5};
  CHECK(steps_of(line(stalls(0), "NOP") + line(stalls(1), "NOP") + line(yields, "NOP") + line(both, "NOP"),
                 sim::load_gpu("h100")) == std::vector<Cycle>{1, 1, 2, 5});
}

TEST_CASE("a warp that yields lets another one issue") {
  // Two warps of one scheduler that goes on with the same warp as long as it can.
  const sim::GpuSpec spec = launching_at_once("tiny", {"sm.scheduler=gto"});
  const unsigned threads = 32 * (spec.sm.sub_partitions + 1);
  const auto order = [&](const ControlCode& code) {
    std::vector<std::uint32_t> warps;
    for (const sim::WarpIssued& event : run_of(repeat(line(code, "NOP"), 3), spec, threads).issued)
      if (event.slot % spec.sm.sub_partitions == 0) warps.push_back(event.warp_in_block);
    return warps;
  };
  const std::uint32_t other = spec.sm.sub_partitions;
  CHECK(order(stalls(1)) == std::vector<std::uint32_t>{0, 0, 0, 0, other, other, other, other});
  CHECK(order({.yield = true, .stall = 1}) ==
        std::vector<std::uint32_t>{0, other, 0, other, 0, other, 0, other});
}

TEST_CASE("who waits for a barrier waits until the result of the one that raised it is there") {
  for (const char* gpu : {"tiny", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Cycle shared = latency_of(spec, TimingClass::LoadShared);
    CHECK(steps_of(line(writes(3), "LDS R0, [RZ]") + line(waits(3), "MOV R1, R0"), spec) ==
          std::vector<Cycle>{shared, 1});
    // What stands in between does not wait, even for the register.
    CHECK(steps_of(line(writes(0), "LDS R0, [RZ]") + line(stalls(1), "NOP") + line(waits(5), "MOV R1, R0") +
                       line(waits(0), "NOP"),
                   spec) == std::vector<Cycle>{1, 1, shared - 2, 1});
    const Cycle special = latency_of(spec, TimingClass::SpecialFunction);
    CHECK(steps_of(line(writes(5, 2), "MUFU.EX2 R0, RZ") + line(waits(5), "MOV R1, R0"), spec) ==
          std::vector<Cycle>{special, 1});
  }
}

TEST_CASE("the wait for a barrier has the name of what feeds it") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const auto stalls_of = [&](const std::string& raises) {
    return run_of(line(writes(2), raises) + line(waits(2), "NOP"), spec).result.total.stalls;
  };
  const Cycle shared = latency_of(spec, TimingClass::LoadShared);
  CHECK(stalls_of("LDS R2, [RZ]")[StallReason::ShortScoreboard] == shared - 1);
  CHECK(stalls_of("LDS R2, [RZ]")[StallReason::LongScoreboard] == 0);
  CHECK(stalls_of("LDL R2, [RZ]")[StallReason::LongScoreboard] > shared);
  CHECK(stalls_of("MUFU.EX2 R2, RZ")[StallReason::ShortScoreboard] ==
        latency_of(spec, TimingClass::SpecialFunction) - 1);
}

TEST_CASE("a barrier counts: it is down when all that raised it are done") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Cycle shared = latency_of(spec, TimingClass::LoadShared);
  const Cycle special = latency_of(spec, TimingClass::SpecialFunction);
  REQUIRE(shared > special);
  constexpr Cycle kApart = 12;
  const std::string first = line(writes(1, kApart), "LDS R0, [RZ]");
  const std::string wait = line(waits(1), "NOP");
  CHECK(steps_of(first + line(writes(1), "LDS R1, [RZ]") + wait, spec) ==
        std::vector<Cycle>{kApart, shared, 1});
  // Of two barriers the first load's is enough.
  CHECK(steps_of(first + line(writes(2), "LDS R1, [RZ]") + wait, spec) ==
        std::vector<Cycle>{kApart, shared - kApart, 1});
  // One whose end is known beside one whose end is not, in both orders.
  CHECK(steps_of(first + line(writes(1), "MUFU.EX2 R1, RZ") + wait, spec) ==
        std::vector<Cycle>{kApart, std::max(shared - kApart, special), 1});
  CHECK(steps_of(line(writes(1, 2), "MUFU.EX2 R1, RZ") + line(writes(1), "LDS R0, [RZ]") + wait, spec) ==
        std::vector<Cycle>{2, shared, 1});
  // After it was down it is up again.
  ControlCode again = waits(1);
  again.write_barrier = 1;
  CHECK(steps_of(line(writes(1), "LDS R0, [RZ]") + line(again, "LDS R1, [RZ]") + wait, spec) ==
        std::vector<Cycle>{shared, shared, 1});
}

TEST_CASE("sources are free when the instruction arrives at the shared stage") {
  for (const char* gpu : {"tiny", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const sim::MioSpec& mio = spec.sm.mio;
    const std::string wait = line(waits(4), "MOV R0, RZ");
    CHECK(steps_of(line(reads(4), "STS [RZ], RZ") + wait, spec) == std::vector<Cycle>{mio.front_latency, 1});
    // A second one follows the first through the queue.
    CHECK(steps_of(line(reads(3), "STS [RZ], RZ") + line(reads(4), "STS [RZ], RZ") + wait, spec) ==
          std::vector<Cycle>{1, mio.front_latency + mio.address_interval - 1, 1});
  }
}

TEST_CASE("what writes no register raises no barrier for its result") {
  CHECK(steps_of(line(writes(4), "STS [RZ], RZ") + line(waits(4), "NOP"), sim::load_gpu("h100")) ==
        std::vector<Cycle>{1, 1});
}

TEST_CASE("a branch resolves before the next instruction, whatever its stall count is") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Cycle branch = latency_of(spec, TimingClass::Branch);
  for (const unsigned stall : {1U, 5U, 15U}) {
    CHECK(steps_of(line(stalls(stall), "BRA there") + "there:\n" + line(stalls(1), "NOP"), spec) ==
          std::vector<Cycle>{std::max<Cycle>(branch, stall), 1});
  }
}

TEST_CASE("copies are waited for by their groups, whatever barrier they name") {
  const sim::GpuSpec spec = sim::load_gpu("a100");
  TextKernel kernel(line(stalls(6), "IMAD.WIDE.U32 R2, RZ, 0x4, c[p]") +
                        line(stalls(2), "LDGSTS.E.BYPASS.128 [RZ], [R2.64]") + line(writes(0), "LDGDEPBAR") +
                        line(stalls(4), "DEPBAR.LE SB0, 0x0") + line(waits(0), "NOP"),
                    {.x = 32}, {}, ".shared words 128\n.param p ptr");
  kernel.add_buffer("p", 512);
  const std::vector<Cycle> found = steps(kernel.run(spec).cycles(0));
  CHECK(found[0] == 6);
  CHECK(found[1] == 2);
  CHECK(found[2] > spec.l2.latency);  // DEPBAR waits before it issues
  CHECK(found[3] == 4);
}

TEST_CASE("any codes end, and the books balance") {
  const std::uint32_t seed = drawn_seed();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const char* const kInstructions[] = {"LDS R0, [RZ]",        "STS [RZ], R1",         "MUFU.EX2 R2, R1",
                                       "FFMA R1, R1, R1, R2", "IADD3 R3, R0, R1, RZ", "BAR.SYNC 0x0"};
  const sim::GpuSpec spec = sim::load_gpu("tiny");
  const auto draw = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
  for (unsigned round = 0; round < 20; ++round) {
    std::string body =
        line(stalls(1), "MOV R0, RZ") + line(stalls(1), "MOV R1, RZ") + line(stalls(1), "MOV R2, RZ");
    for (unsigned i = 0; i < 20; ++i)
      body += line(drawn_code(random), kInstructions[draw(std::size(kInstructions))]);
    run_of(body, spec, 96);
  }
}

}  // namespace
}  // namespace heddle::test
