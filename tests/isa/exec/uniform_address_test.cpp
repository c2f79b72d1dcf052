// Addresses in global memory that a uniform pair is part of.
#include <fmt/format.h>

#include <numeric>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr Addr kNearTheEnd = 0xffffff00;  // of 32 bits: what is added goes past it

/// What 32 threads leave in `out` that have their number t in R0, 4 t in R1, and 4 t - 16 in R2 and R3; UR4
/// and UR5 have the address of 1000, 1001 and so on, UR6 and UR7 that less kNearTheEnd, UR8 and UR9 that of
/// `out`.
std::vector<std::uint32_t> words_after(const std::string& lines) {
  GlobalMemory memory;
  const Buffer& in = memory.allocate("in", 256);
  const Buffer& out = memory.allocate("out", 128);
  std::iota(in.as<std::uint32_t>().begin(), in.as<std::uint32_t>().end(), 1000U);
  KernelRun run;
  run.text = R"(.kernel k
.param in ptr
.param below u64
.param out ptr
.param less u64
.shared tile 256
    S2R R0, SR_TID.X
    SHF.L.U32 R1, R0, 0x2, RZ
    IMAD.WIDE R2, R0, 0x4, c[less]
    ULDC.64 UR4, c[in]
    ULDC.64 UR6, c[below]
    ULDC.64 UR8, c[out]
)" + lines + "\n    EXIT\n";
  run.params = {in.address(), in.address() - kNearTheEnd, out.address(), std::uint64_t{0} - 16};
  CHECK(fault_of(run, memory) == "");
  const auto words = out.as<std::uint32_t>();
  return {words.begin(), words.end()};
}

void check_loads(const std::string& lines, std::uint32_t first, std::uint32_t step = 1) {
  INFO(lines);
  const std::vector<std::uint32_t> words = words_after(lines + "\n    STG.E [R1.U32+UR8], R4");
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(words[t] == first + step * t);
}

TEST_CASE("a uniform pair is added to an address of 64 bits") {
  check_loads("LDG.E R4, [R2.64+UR4+0x10]", 1000);
  check_loads("LDG.E R4, [UR4+R2+0x18]", 1002);
}

TEST_CASE("a register of 32 bits has no sign beside a uniform pair") {
  check_loads("LDG.E R4, [R1.U32+UR4]", 1000);
  check_loads(fmt::format("IADD3 R5, R1, {:#x}, RZ\n    LDG.E R4, [R5.U32+UR6]", kNearTheEnd), 1000);
  check_loads(fmt::format("IADD3 R5, R1, {:#x}, RZ\n    LDG.E R4, desc[UR0][R5.U32+UR6+0x8]", kNearTheEnd),
              1002);
}

TEST_CASE("beside URZ a register of 32 bits is an address, whatever lies in the next one") {
  GlobalMemory memory;
  KernelRun run;
  run.text = ".kernel k\nMOV R2, 0x10\nMOV R3, 0x7\nLDG.E R4, [R2.U32+URZ+0x8]\nEXIT";
  CHECK(fault_of(run, memory).find("load of 4 bytes at 0x18 in lane 0") != std::string::npos);
}

TEST_CASE("a uniform pair is an address alone") {
  check_loads("LDG.E R4, [UR4.64]", 1000, 0);
  check_loads("LDG.E R4, [UR4+0x8]", 1002, 0);
  check_loads("LDG.E R4, [RZ.U32+UR4]", 1000, 0);
}

TEST_CASE("stores, atomics and copies add a uniform pair, too") {
  std::vector<std::uint32_t> words = words_after(R"(
    STG.E [R2.64+UR8+0x10], R0
    RED.E.ADD [UR8.64+0x4], R0
    ATOMG.E.ADD PT, R4, [R1.U32+UR8], R0)");
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(words[t] == 2 * t + (t == 1 ? 31 * 32 / 2 : 0));
  check_loads(R"(UMOV UR1, 0x20
    LDGSTS.E [R1+UR1+tile], [R2.64+UR4+0x10]
    LDGDEPBAR
    DEPBAR.LE SB0, 0x0
    LDS R4, [R1+tile+0x20])",
              1000);
}

TEST_CASE("generic addresses are those of global memory") {
  check_loads("LD.E R4, [R2.64+UR4+0x10]", 1000);
  check_loads("LD.E.U16 R4, desc[UR0][R2.64+UR4+0x14]", 1001);
  check_loads("ATOM.E.ADD.STRONG.GPU PT, R4, [R2.64+UR4+0x10], R0", 1000);
  check_loads(
      "MOV R6, 0x7\n    ST.E [R2.64+UR4+0x10], R6\n    ATOM.E.CAS.STRONG.GPU PT, R5, [R2.64+UR4+0x10], R6, R0\n"
      "    LDG.E R4, [R2.64+UR4+0x10]",
      0);
}

TEST_CASE("a uniform register is added to an address in local memory") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 128);
  KernelRun run;
  run.text =
      ".kernel k\n.param out ptr\n.local 64\nS2R R0, SR_TID.X\nIMAD.WIDE R2, R0, 0x4, c[out]\nUMOV UR4, 0x10\n"
      "MOV R1, 0x4\nSTL [R1+UR4], R0\nSTL [UR4+0x8], R1\nLDL R4, [0x14]\nLDL R5, [R1+UR4+0x4]\nIADD3 R4, R4, R5, RZ\n"
      "STG.E [R2.64], R4\nEXIT\n";
  run.params = {out.address()};
  CHECK(fault_of(run, memory) == "");
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(out.as<std::uint32_t>()[t] == t + 4);
}

}  // namespace
}  // namespace heddle::exec
