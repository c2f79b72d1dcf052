// How much longer an instruction waits for a result of another unit than for one of its own.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

const std::string kIadd = "IADD3 R0, R0, R0, RZ";
const std::string kFadd = "FADD R0, R0, R0";

/// When each of them issues after the first one, whose operands are there: R0 to R19 are 0.
std::vector<Cycle> issues(const sim::GpuSpec& spec, const std::string& instructions) {
  std::string body;
  for (unsigned i = 0; i < 20; ++i) body += fmt::format("MOV R{}, RZ\n", i);
  TextKernel kernel(body + repeat("NOP", 20) + "begin:\n" + instructions, {.x = 32}, {}, ".shared words 128");
  std::vector<Cycle> cycles = kernel.run(spec).cycles(0);
  cycles.erase(cycles.begin(), cycles.begin() + kernel.pc_of("begin"));
  const Cycle begin = cycles.front();
  for (Cycle& cycle : cycles) cycle -= begin;
  return cycles;
}

Cycle distance(const sim::GpuSpec& spec, const std::string& first, const std::string& second) {
  return issues(spec, first + "\n" + second)[1];
}

TEST_CASE("what depends on another unit is as far away as ptxas keeps it") {
  // Stall counts that ptxas 13.0 puts between such instructions for sm_75, sm_80, sm_86, sm_89, sm_90 and
  // sm_120.
  struct Pair {
    std::string first, second;
    std::optional<Cycle> t4, a100, rtx3080, rtx4090, h100, rtx5090;  // none: not modelled so
  };
  const std::string imad = "IMAD R0, R0, R0, RZ";
  const std::string wide = "IMAD.WIDE R0, R4, R5, R6";
  const std::string hfma = "HFMA2 R0, R0, R0, R0";
  const Pair pairs[] = {
      {kIadd, "LOP3.LUT R2, R0, R0, RZ, 0xc0, !PT", 4, 4, 4, 4, 4, 4},
      {kFadd, "FFMA R2, R0, R0, RZ", 4, 4, 4, 4, 4, 4},
      {kFadd, "IMAD R2, R0, R0, RZ", 4, 4, 4, 4, 4, 4},
      {imad, "FADD R2, R0, R0", 4, 4, 4, 4, 4, 4},
      {kIadd, "FADD R2, R0, R0", 5, 5, 5, 5, 5, 5},
      {kIadd, "IMAD R2, R0, R0, RZ", 5, 5, 5, 5, 5, 5},
      {kFadd, "IADD3 R2, R0, R0, RZ", 5, 5, 5, 5, 5, 5},
      {imad, "SHF.L.U32 R2, R0, 0x1, RZ", 5, 5, 5, 5, 5, 5},
      {kFadd, "ISETP.EQ.AND P0, PT, R0, RZ, PT", 5, 5, 5, 5, 5, 5},
      {wide, "IMAD R2, R1, R4, RZ", 4, 4, 4, 4, 4, 4},
      {wide, "IADD3 R2, R1, R4, RZ", 5, 5, 5, 5, 5, 5},
      {wide, "LDS R2, [R0]", 8, 5, 5, 5, 5, 5},
      {wide, "IMAD.WIDE R2, R4, R5, R0", 6, 6, 6, 6, 4, 4},
      {kFadd, "F2FP.F16.F32.PACK_AB R2, R0, R0", {}, 5, 5, 5, 5, 5},
      {"F2FP.F16.F32.PACK_AB R0, R0, R0", "PRMT R2, R0, 0x5410, R0", {}, 4, 4, 4, 4, 4},
      {imad, "VIADD R2, R0, 0x1", {}, {}, {}, {}, 4, {}},
      {"VIADD R0, R0, 0x1", "VIADD R2, R0, 0x1", {}, {}, {}, {}, 4, {}},
      {"VIADD R0, R0, 0x1", "IADD3 R2, R0, R4, RZ", {}, {}, {}, {}, 5, {}},
      {kFadd, "MUFU.EX2 R2, R0", 6, 4, 4, 4, 4, 4},
      {kIadd, "POPC R2, R0", 6, 4, 4, 4, 4, 4},
      {kIadd, "F2I R2, R0", 6, 4, 4, 4, 4, 4},
      {kIadd, "I2F R2, R0", 6, 4, 4, 4, 4, 4},
      {kIadd, "DADD R2, R0, R0", 6, 6, 6, 6, 6, 6},
      {kFadd, "HFMA2 R2, R0, R0, R0", 6, 6, 5, 5, 6, 5},
      {kIadd, "HADD2 R2, R0, R0", 6, 6, 5, 5, 6, 5},
      {hfma, "LOP3.LUT R2, R0, R0, RZ, 0xc0, !PT", 8, {}, 5, 5, {}, 5},
      {hfma, "FADD R2, R0, R0", 8, {}, 5, 5, {}, 5},
      {kIadd, "LDS R2, [R0]", 8, 5, 5, 5, 5, 5},
      {imad, "STS [RZ], R0", 8, 5, 5, 5, 5, 5},
      {kFadd, "SHFL.IDX PT, R2, R0, RZ, 0x1f", 8, 5, 5, 5, 5, 5},
      {kFadd, "HMMA.1688.F32 R8, R0, R12, R16", 6, 7, 7, 7, 7, 7},
  };
  for (const Pair& pair : pairs) {
    INFO(pair.first << " -> " << pair.second);
    for (const auto& [gpu, expected] : {std::pair{"t4", pair.t4},
                                        {"a100", pair.a100},
                                        {"rtx3080", pair.rtx3080},
                                        {"rtx4090", pair.rtx4090},
                                        {"h100", pair.h100},
                                        {"rtx5090", pair.rtx5090}}) {
      INFO(gpu);
      if (expected) CHECK(distance(sim::load_gpu(gpu), pair.first, pair.second) == *expected);
    }
  }
}

/// All different, so that none can stand for another.
const Overrides kBypassKeys = {"sm.bypass.fma_alu=3", "sm.bypass.wide=2",    "sm.bypass.fp16=5",
                               "sm.bypass.fp64=6",    "sm.bypass.special=7", "sm.bypass.tensor=9",
                               "sm.bypass.memory=11"};

TEST_CASE("each kind of unit waits as long for results of each other as the GPU file says") {
  const sim::GpuSpec h100 = sim::load_gpu("h100", kBypassKeys);
  const Cycle half = h100.sm.timing(ir::TimingClass::Fp16).latency;
  const Cycle whole = h100.sm.timing(ir::TimingClass::Fp64).latency;
  const std::string hadd = "HADD2 R0, R0, R0";
  const std::string dadd = "DADD R0, R2, R2";
  CHECK(distance(h100, kIadd, "IADD3 R2, R0, RZ, RZ") == 4);
  CHECK(distance(h100, kFadd, "IADD3 R2, R0, RZ, RZ") == 4 + 3);
  CHECK(distance(h100, kIadd, "FADD R2, R0, R0") == 4 + 3);
  const Cycle product = h100.sm.timing(ir::TimingClass::ImadWide).latency;
  const std::string wide = "IMAD.WIDE R0, R4, R5, R6";
  CHECK(distance(h100, wide, "IMAD.WIDE R2, R4, R5, R0") == product + 2);
  CHECK(distance(h100, wide, "FADD R2, R0, R0") == product);
  CHECK(distance(h100, wide, "IADD3 R2, R0, RZ, RZ") == product + 3);
  CHECK(distance(h100, wide, "LDS R2, [R0]") == product + 11);
  CHECK(distance(h100, kFadd, "IMAD.WIDE R2, R0, R5, R6") == 4);
  CHECK(distance(h100, kIadd, "HADD2 R2, R0, R0") == 4 + 5);
  CHECK(distance(h100, kIadd, "DADD R2, R0, R0") == 4 + 6);
  CHECK(distance(h100, kIadd, "MUFU.EX2 R2, R0") == 4 + 7);
  CHECK(distance(h100, kIadd, "HMMA.1688.F32 R8, R0, R12, R16") == 4 + 9);
  CHECK(distance(h100, kIadd, "LDS R2, [R0]") == 4 + 11);
  CHECK(distance(h100, hadd, "HADD2 R2, R0, R0") == half);
  CHECK(distance(h100, hadd, "FADD R2, R0, R0") == half + 5);
  CHECK(distance(h100, hadd, "DADD R2, R0, R0") == half + 5);
  CHECK(distance(h100, hadd, "STS [RZ], R0") == half + 11);
  CHECK(distance(h100, dadd, "DADD R2, R0, R0") == whole);
  CHECK(distance(h100, dadd, "IADD3 R2, R0, RZ, RZ") == whole + 6);
  CHECK(distance(h100, dadd, "HADD2 R2, R0, R0") == whole + 5);
  CHECK(distance(h100, dadd, "F2F.F32.F64 R2, R0") == whole + 7);
}

TEST_CASE("who overwrites a result waits for it like who reads it, and so does each of many registers") {
  const sim::GpuSpec spec = sim::load_gpu("h100", kBypassKeys);
  CHECK(distance(spec, kIadd, "IADD3 R0, R4, R4, RZ") == 4);
  CHECK(distance(spec, kIadd, "FADD R0, R4, R4") == 4 + 3);
  CHECK(distance(spec, kFadd, "MUFU.EX2 R0, R4") == 4 + 7);
  for (const unsigned reg : {1U, 9U, 11U, 12U, 17U, 19U}) {
    INFO("R" << reg);
    CHECK(distance(spec, fmt::format("IADD3 R{}, R4, R4, RZ", reg), "HMMA.1688.F32 R8, R0, R12, R16") ==
          4 + 9);
  }
}

TEST_CASE("results of other units are there for all at the same time") {
  const sim::GpuSpec spec = sim::load_gpu("h100", kBypassKeys);
  const auto latency = [&spec](ir::TimingClass of) { return Cycle{spec.sm.timing(of).latency}; };
  CHECK(distance(spec, "MUFU.EX2 R0, R4", "FADD R2, R0, R0") == latency(ir::TimingClass::SpecialFunction));
  CHECK(distance(spec, "LDS R0, [RZ]", "IADD3 R2, R0, RZ, RZ") == latency(ir::TimingClass::LoadShared));
  CHECK(distance(spec, "HMMA.1688.F32 R0, R8, R12, R16", "FADD R4, R0, R0") ==
        latency(ir::TimingClass::Tensor1688F32));
  CHECK(distance(spec, "ISETP.EQ.AND P0, PT, R4, RZ, PT", "@P0 FADD R2, R4, R4") == spec.sm.guard_latency);
  // T4 converts integers where its special functions are.
  const sim::GpuSpec t4 = sim::load_gpu("t4", kBypassKeys);
  CHECK(distance(t4, kIadd, "I2F R2, R0") == 4 + 7);
  CHECK(distance(t4, "I2F R0, R4", "FADD R2, R0, R0") == t4.sm.timing(ir::TimingClass::IntToFloat).latency);
}

TEST_CASE("of two operands the later one counts, across from its own unit") {
  // FADD's own is there at 4, IADD3's, a cycle later, across at 6.
  const sim::GpuSpec spec = sim::load_gpu("h100");
  CHECK(issues(spec, "FADD R0, R4, R4\nIADD3 R1, R5, R5, RZ\nFADD R2, R0, R1")[2] == 6);
  // FADD's own is there at 5, IADD3's, a cycle earlier, across at the same time.
  CHECK(issues(spec, "IADD3 R1, R5, R5, RZ\nFADD R0, R4, R4\nFADD R2, R0, R1")[2] == 5);
}

}  // namespace
}  // namespace heddle::test
