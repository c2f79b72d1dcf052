// The constant cache: misses of operands and of LDC, and words that lanes read one after the other.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::StallReason;

constexpr const char* kTable =
    ".param n u32\n.const table u32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18";

/// More than 1 KiB.
std::string large_table() {
  std::string text = ".const large u32 0";
  for (unsigned i = 1; i < 300; ++i) text += fmt::format(", {}", i);
  return text + "\n";
}

Timeline run_of(const std::string& body, const sim::GpuSpec& spec, Dim3 block = {32, 1, 1}) {
  TextKernel kernel(body, block, {}, kTable);
  Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
  CHECK(differences(run.result, kernel.run(spec, mode(true)).result) == std::vector<std::string>{});
  return run;
}

TEST_CASE("an operand that is not in the constant cache holds its warp back once a line") {
  // H100: 79 cycles for each of two lines of 64 bytes; what follows finds them there.
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Timeline run = run_of(
      "MOV R0, c[0x3][0x0]\nMOV R1, c[0x3][0x4]\nMOV R2, c[0x3][0x3c]\nMOV R3, c[0x3][0x40]\nMOV R4, "
      "c[0x3][0x44]\n",
      spec);
  CHECK(run.result.total.stalls[StallReason::ImcMiss] == 79 + 79);
  const std::vector<Cycle> cycles = run.cycles(0);
  // The fourth is looked at in the cycle after the third.
  CHECK(steps(cycles) == std::vector<Cycle>{2, 2, 80, 2, 1});
}

TEST_CASE("constants of the launch are always there") {
  const Timeline run =
      run_of("MOV R0, c[blockDim.x]\nIADD3 R1, R0, c[0x0][0x160], RZ\n", sim::load_gpu("h100"));
  CHECK(run.result.total.stalls[StallReason::ImcMiss] == 0);
}

/// Cold but for the code.
sim::GpuSpec cold(const std::string& gpu) {
  return sim::load_gpu(gpu,
                       {"cold.enabled=true", "cold.constant_latency=245", "sm.instruction_cache.l0_bytes=0"});
}

TEST_CASE("in a cold launch, constants of the launch come from L2 once") {
  const Timeline run = run_of(
      "MOV R0, c[blockDim.x]\nMOV R1, c[gridDim.x]\nIADD3 R1, R0, c[0x0][0x160], RZ\nMOV R2, c[blockDim.y]\n",
      cold("h100"));
  CHECK(run.result.total.stalls[StallReason::ImcMiss] == 245);
  const Timeline both = run_of("MOV R0, c[blockDim.x]\nMOV R1, c[0x3][0x0]\n", cold("h100"));
  CHECK(both.result.total.stalls[StallReason::ImcMiss] == 245 + 245);
}

TEST_CASE("in a cold launch, LDC waits for L2 on top of its latency") {
  const sim::GpuSpec spec = cold("h100");
  const Cycle hit = spec.sm.timing(ir::TimingClass::LoadConstant).latency;
  for (const char* constant : {"c[0x3][0x0]", "c[blockDim.x]"}) {
    CAPTURE(constant);
    const std::vector<Cycle> cycles =
        run_of(fmt::format("LDC R0, {0}\nMOV R1, R0\nLDC R0, {0}\nMOV R1, R0\n", constant), spec).cycles(0);
    CHECK(cycles[1] - cycles[0] == hit + 245);
    CHECK(cycles[3] - cycles[2] == hit);
  }
}

TEST_CASE("in a cold launch, a line that was thrown out does not come from L2 again") {
  // tiny: lines 0, 8 and 16 share a set of two.
  std::string body = large_table();
  for (unsigned i = 0; i < 4; ++i) body += fmt::format("LDC R0, c[0x3][{:#x}]\nMOV R0, R0\n", 512 * (i % 3));
  TextKernel kernel(body, {.x = 32});
  const sim::GpuSpec spec = cold("tiny");
  const Cycle hit = spec.sm.timing(ir::TimingClass::LoadConstant).latency;
  const std::vector<Cycle> cycles = kernel.run(spec).cycles(0);
  CHECK(cycles[1] - cycles[0] == hit + 245);
  CHECK(cycles[5] - cycles[4] == hit + 245);
  CHECK(cycles[7] - cycles[6] == hit + spec.sm.constant.miss_latency);
}

TEST_CASE("LDC waits for the cache on top of its latency") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Cycle hit = spec.sm.timing(ir::TimingClass::LoadConstant).latency;
  const std::vector<Cycle> cycles =
      run_of("LDC R0, c[0x3][0x0]\nMOV R1, R0\nLDC R0, c[0x3][0x8]\nMOV R1, R0\n", spec).cycles(0);
  CHECK(cycles[1] - cycles[0] == hit + spec.sm.constant.miss_latency);
  CHECK(cycles[3] - cycles[2] == hit);
}

TEST_CASE("lanes that name different words of a constant are served one after the other") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Cycle hit = spec.sm.timing(ir::TimingClass::LoadConstant).latency;
  for (const unsigned words : {1U, 2U, 7U, 16U}) {
    CAPTURE(words);
    // The first LDC brings the line; the second one's lanes name `words` words of it.
    const std::string body = fmt::format(
        "LDC R5, c[0x3][0x0]\nMOV R5, R5\nS2R R0, SR_LANEID\nIMNMX R0, R0, {:#x}, PT\nSHF.L.U32 R0, R0, 0x2, "
        "RZ\n"
        "load:\nLDC R1, c[0x3][R0]\nMOV R2, R1\n",
        words - 1);
    TextKernel kernel(body, {.x = 32}, {}, kTable);
    const std::vector<Cycle> cycles = kernel.run(spec).cycles(0);
    const Pc at = kernel.pc_of("load");
    CHECK(cycles[at + 1] - cycles[at] == hit + spec.sm.constant.address_interval * (words - 1));
  }
}

TEST_CASE("lines that are asked for again come back only once they were thrown out") {
  // tiny: 1 KiB in 8 sets of 2 lines of 64 bytes. Lines 0, 8 and 16 share a set: with two of them the second
  // round hits, with three it misses as the first did, for the least recently used one goes.
  const sim::GpuSpec spec = sim::load_gpu("tiny");
  const auto misses = [&](unsigned lines) {
    std::string body = large_table();
    for (unsigned round = 0; round < 2; ++round) {
      for (unsigned i = 0; i < lines; ++i)
        body += fmt::format("LDC R{0}, c[0x3][{1:#x}]\nMOV R{0}, R{0}\n", i, 512 * i);
    }
    TextKernel kernel(body, {.x = 32});
    const std::vector<Cycle> cycles = kernel.run(spec).cycles(0);
    unsigned count = 0;
    const Cycle hit = spec.sm.timing(ir::TimingClass::LoadConstant).latency;
    for (std::size_t i = 0; i < std::size_t{4} * lines; i += 2)
      count += cycles[i + 1] - cycles[i] > hit ? 1U : 0U;
    return count;
  };
  CHECK(misses(1) == 1);
  CHECK(misses(2) == 2);
  CHECK(misses(3) == 6);
}

}  // namespace
}  // namespace heddle::test
