// How long an instruction waits for the one it depends on.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::TimingClass;

/// `link` depends on itself: through what it reads, or at least through what it writes.
struct Chain {
  TimingClass timing_class;
  const char* setup;
  const char* link;
};

const Chain kChains[] = {
    {TimingClass::Fp32, "MOV R0, RZ", "FADD R0, R0, 1.0"},
    {TimingClass::Fp32, "MOV R0, RZ", "FMUL R0, R0, R0"},
    {TimingClass::Fp32, "MOV R0, RZ", "FFMA R0, RZ, RZ, R0"},
    {TimingClass::Imad, "MOV R0, RZ", "IMAD R0, R0, R0, R0"},
    {TimingClass::ImadWide, "MOV R2, RZ\nMOV R3, RZ", "IMAD.WIDE R2, R2, R2, R2"},
    {TimingClass::ImadWide, "MOV R2, RZ\nMOV R3, RZ", "IMAD.WIDE.U32 R2, RZ, RZ, R2"},
    {TimingClass::Alu, "NOP", "MOV R0, RZ"},
    {TimingClass::Alu, "MOV R0, RZ", "IADD3 R0, RZ, RZ, R0"},
    {TimingClass::Alu, "MOV R0, RZ", "LOP3.LUT R0, R0, RZ, RZ, 0xc0, !PT"},
    {TimingClass::Alu, "MOV R0, RZ", "SHF.L.U32 R0, R0, 0x1, RZ"},
    {TimingClass::Alu, "MOV R0, RZ", "FSEL R0, R0, RZ, PT"},
    {TimingClass::IntToFloat, "MOV R0, RZ", "I2F R0, R0"},
    {TimingClass::Convert, "MOV R0, RZ", "F2I R0, R0"},
    {TimingClass::SpecialFunction, "MOV R0, RZ", "MUFU.EX2 R0, R0"},
    {TimingClass::SpecialRegister, "NOP", "S2R R0, SR_TID.X"},
    {TimingClass::LoadConstant, "NOP", "LDC R0, c[blockDim.x]"},
    {TimingClass::Shuffle, "MOV R0, RZ", "SHFL.IDX PT, R0, R0, RZ, 0x1f"},
    {TimingClass::LoadShared, "MOV R0, RZ", "LDS R0, [R0]"},
};

constexpr unsigned kLinks = 12;

const sim::ClassSpec& class_of(const sim::GpuSpec& spec, TimingClass timing_class) {
  return spec.sm.timing(timing_class);
}

/// The steps of a chain of one warp, from the first link to the last.
std::vector<Cycle> chain_steps(const sim::GpuSpec& spec, const std::string& setup, const std::string& link) {
  TextKernel kernel(setup + "\nchain:\n" + repeat(link, kLinks), {.x = 32}, {}, ".shared words 128");
  const std::vector<Cycle> cycles = kernel.run(spec).cycles(0);
  const auto first = cycles.begin() + kernel.pc_of("chain");
  return steps({first, first + kLinks});
}

void check_chains(const sim::GpuSpec& spec) {
  for (const Chain& chain : kChains) {
    const sim::ClassSpec& timing = class_of(spec, chain.timing_class);
    INFO(spec.name << ": " << chain.link);
    const Cycle crossing = chain.timing_class == TimingClass::ImadWide ? spec.sm.bypass.wide : 0;
    const Cycle step = std::max<Cycle>(timing.latency + crossing, timing.interval);
    CHECK(chain_steps(spec, chain.setup, chain.link) == std::vector<Cycle>(kLinks - 1, step));
  }
}

TEST_CASE("a chain of n dependent instructions takes n times their latency, whatever the class") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100", "textbook"}) check_chains(sim::load_gpu(gpu));
}

TEST_CASE("a chain follows the latencies of the GPU file") {
  for (const Cycle latency : {13U, 64U, 65U, 66U, 127U, 128U, 1000U}) {
    Overrides overrides;
    for (const Chain& chain : kChains) {
      overrides.push_back(
          fmt::format("sm.instructions.{}.latency={}", ir::info(chain.timing_class).key, latency));
    }
    check_chains(sim::load_gpu("h100", overrides));
  }
}

TEST_CASE("an interval longer than the latency is what a chain takes") {
  check_chains(
      sim::load_gpu("h100", {"sm.instructions.fp32.interval=9", "sm.instructions.fp32.pipes=[fma_heavy]"}));
}

TEST_CASE("a comparison reaches an operand after its own latency and a guard after guard_latency") {
  struct Case {
    const char* gpu;
    Cycle operand;  // from the ISETP to a SEL
    Cycle guard;    // from the ISETP to a guarded MOV
  };
  // The GPU files' compare latencies and guard latencies.
  for (const Case& expected : {Case{"tiny", 3, 5}, {"v100", 4, 12}, {"a100", 4, 13}, {"h100", 4, 13}}) {
    INFO(expected.gpu);
    const sim::GpuSpec spec = sim::load_gpu(expected.gpu);
    TextKernel as_operand("ISETP.EQ.AND P0, PT, RZ, RZ, PT\nSEL R0, RZ, RZ, P0", {.x = 32});
    CHECK(steps(as_operand.run(spec).cycles(0)).front() == expected.operand);
    TextKernel as_guard("ISETP.EQ.AND P0, PT, RZ, RZ, PT\n@P0 MOV R0, RZ", {.x = 32});
    CHECK(steps(as_guard.run(spec).cycles(0)).front() == expected.guard);
    TextKernel as_branch("ISETP.NE.AND P0, PT, RZ, RZ, PT\n@P0 BRA there\nthere:", {.x = 32});
    CHECK(steps(as_branch.run(spec).cycles(0)).front() == expected.guard);
  }
}

TEST_CASE("a chain of comparisons and selects takes the two latencies by turns") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    std::string body = "MOV R0, RZ\n";
    std::vector<Cycle> expected = {class_of(spec, TimingClass::Alu).latency};
    for (unsigned i = 0; i < 6;
         ++i) {  // the same predicate: as a guard, it is overwritten before it is there
      body += "ISETP.EQ.AND P0, PT, R0, RZ, PT\nSEL R0, RZ, 0x1, P0\n";
      expected.push_back(class_of(spec, TimingClass::Compare).latency);
      expected.push_back(class_of(spec, TimingClass::Alu).latency);
    }
    std::vector<Cycle> found = steps(TextKernel(body, {.x = 32}).run(spec).cycles(0));
    found.back() = expected.back();  // EXIT waits for nobody
    CHECK(found == expected);
  }
}

TEST_CASE("a chain of guards takes guard_latency a link, or the comparison's latency if that is longer") {
  const std::string setup = "ISETP.EQ.AND P0, PT, RZ, RZ, PT";
  const std::string link = "@P0 ISETP.EQ.AND P0, PT, RZ, RZ, PT";
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    CHECK(chain_steps(spec, setup, link) == std::vector<Cycle>(kLinks - 1, spec.sm.guard_latency));
  }
  const sim::GpuSpec spec =
      sim::load_gpu("h100", {"sm.guard_latency=3", "sm.instructions.compare.latency=21"});
  CHECK(chain_steps(spec, setup, link) == std::vector<Cycle>(kLinks - 1, 21));
}

TEST_CASE("a guard waits for the last comparison before it, whatever wrote its predicate earlier") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const std::string comparison = "ISETP.EQ.AND P0, PT, RZ, RZ, PT\n";
    TextKernel kernel(comparison + comparison + "@P0 MOV R0, RZ", {.x = 32});
    const Cycle again = class_of(spec, TimingClass::Compare).latency;  // to be written as an operand
    const std::vector<Cycle> found = steps(kernel.run(spec).cycles(0));
    CHECK(found[0] == again);
    CHECK(found[1] == spec.sm.guard_latency);
  }
}

TEST_CASE("independent instructions of a warp issue back to back where their pipes differ") {
  // FADD on fma, IADD3 on alu, NOP on branch: nobody waits for anybody.
  TextKernel kernel(repeat("FADD R0, RZ, RZ\nIADD3 R1, RZ, RZ, RZ\nNOP", 1), {.x = 32});
  CHECK(steps(kernel.run(sim::load_gpu("h100")).cycles(0)) == std::vector<Cycle>{1, 1, 1});
}

TEST_CASE("an instruction waits for the last of its operands") {
  // MUFU at 0 needs 17 cycles on an H100, IADD3 at 1 needs 4: the sum can issue at 17.
  TextKernel kernel("MUFU.RCP R0, RZ\nIADD3 R1, RZ, RZ, RZ\nFADD R2, R0, R1", {.x = 32});
  const std::vector<Cycle> cycles = kernel.run(sim::load_gpu("h100")).cycles(0);
  CHECK(cycles[1] - cycles[0] == 1);
  CHECK(cycles[2] - cycles[0] == 17);
}

}  // namespace
}  // namespace heddle::test
