// Kernels that are longer than L0.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

constexpr unsigned kPerLine = 8;  // instructions
constexpr unsigned kL0Lines = 8;
constexpr Cycle kLatency = 78;
constexpr unsigned kPrefetched = 8;

/// 8 lines in L0, an instruction a cycle.
sim::GpuSpec small_l0(const Overrides& more = {}) {
  Overrides overrides = {"sm.instruction_cache.l0_bytes=1KiB", "sm.instruction_cache.l1_bytes=64KiB",
                         "sm.instruction_cache.prefetch_lines=8", "sm.instruction_cache.l1_latency=78"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return sim::load_gpu("h100", overrides);
}

/// Independent ones, which need nothing that was written.
std::string instructions(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("FADD R{}, RZ, 1\n", 8 + i % 32);
  return text;
}

TEST_CASE("a kernel that fills L0 costs nothing, one that is longer a miss") {
  const auto cycles = [](unsigned count, const sim::GpuSpec& spec) {
    TextKernel kernel(instructions(count - 1), {.x = 32});
    return kernel.run(spec).result.cycles;
  };
  constexpr unsigned kFull = kL0Lines * kPerLine;
  const sim::GpuSpec always = small_l0({"sm.instruction_cache.l0_bytes=0"});
  CHECK(cycles(kFull, small_l0()) == cycles(kFull, always));
  CHECK(cycles(kFull + 1, small_l0()) == cycles(kFull + 1, always) + kLatency);
}

// The stream buffer asks for a line when the one `kPrefetched` before it is taken out.
TEST_CASE("behind L0 a straight line takes as long as its misses, one in as many lines as are on their way") {
  constexpr unsigned kGroups = 5;
  constexpr unsigned kGroup = kPrefetched + 1;
  TextKernel kernel(instructions((kL0Lines + kGroup * kGroups) * kPerLine), {.x = 32});
  const Timeline run = kernel.run(small_l0());
  const auto begin_of = [&](unsigned line) { return run.cycles_at(line * kPerLine).front(); };
  CHECK(begin_of(kL0Lines) - begin_of(0) == kL0Lines * kPerLine + kLatency);
  for (unsigned group = 1; group < kGroups; ++group) {
    INFO("group " << group);
    const unsigned line = kL0Lines + group * kGroup;
    CHECK(begin_of(line) - begin_of(line - kGroup) == kLatency + kPerLine);
    CHECK(begin_of(line + kPrefetched) - begin_of(line) == kPrefetched * kPerLine);
  }
  // Without it, each line is a miss.
  const Timeline slow = kernel.run(small_l0({"sm.instruction_cache.prefetch_lines=0"}));
  for (unsigned line = kL0Lines; line < 20; ++line) {
    CHECK(slow.cycles_at((line + 1) * kPerLine).front() - slow.cycles_at(line * kPerLine).front() ==
          kLatency + kPerLine);
  }
}

/// A loop of so many lines, which begins a line.
TextKernel loop_of(unsigned lines, unsigned iterations, unsigned warps = 1) {
  std::string text = fmt::format("MOV R1, {}\n", iterations) + instructions(kPerLine - 1);
  // Nothing in it waits for a result.
  text += "loop:\nIADD3 R1, R1, -0x1, RZ\n" + instructions(kPerLine) + "ISETP.NE.AND P0, PT, R1, RZ, PT\n";
  text += instructions((lines - 1) * kPerLine - 3) + "@P0 BRA loop\n";
  return {text, {.x = 32 * warps}};
}

std::vector<Cycle> iterations_of(TextKernel& kernel, const sim::GpuSpec& spec) {
  return steps(kernel.run(spec).cycles_at(kernel.pc_of("loop") + 2));
}

TEST_CASE(
    "a loop that is longer than L0 misses at its beginning, and again where the stream buffer is empty") {
  constexpr unsigned kIterations = 6;
  constexpr unsigned kLines = kPrefetched + 2;
  const auto expected = [](Cycle latency) {
    return std::vector<Cycle>(kIterations - 2,
                              kLines * kPerLine + latency + (latency - kPrefetched * kPerLine));
  };
  const auto settled = [](std::vector<Cycle> all) {
    return std::vector<Cycle>(all.begin() + 1, all.end());  // the first iteration finds some lines
  };
  TextKernel kernel = loop_of(kLines, kIterations);
  CHECK(settled(iterations_of(kernel, small_l0())) == expected(kLatency));
  const sim::GpuSpec small_l1 = small_l0({"sm.instruction_cache.l1_bytes=1KiB"});
  CHECK(settled(iterations_of(kernel, small_l1)) == expected(kLatency + small_l1.l2.latency));
  // Each sub-partition has its own.
  TextKernel four = loop_of(kLines, kIterations, 4);
  CHECK(settled(iterations_of(four, small_l0())) == expected(kLatency));
}

TEST_CASE("what a miss costs is no_instruction, whether cycles are jumped or visited") {
  constexpr unsigned kIterations = 20;
  constexpr unsigned kLines = kPrefetched + 2;
  const auto stalled = [](unsigned iterations, const sim::GpuSpec& spec) {
    TextKernel kernel = loop_of(kLines, iterations);
    const Timeline run = kernel.run(spec);
    CHECK(broken_laws(run.result, spec).empty());
    CHECK(differences(run.result, kernel.run(spec, mode(true)).result).empty());
    CHECK(run.result.total.stalls[ir::StallReason::NoInstruction] ==
          run.result.total.issue_slots.stalled[ir::StallReason::NoInstruction]);
    return run.result.total.stalls[ir::StallReason::NoInstruction];
  };
  CHECK(stalled(kIterations, small_l0()) - stalled(kIterations - 1, small_l0()) ==
        kLatency + (kLatency - kPrefetched * kPerLine));
}

}  // namespace
}  // namespace heddle::test
