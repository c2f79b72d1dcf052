// Generic addresses of machine code: shared and local memory have windows among those of global memory.
#include <fmt/format.h>

#include <string>

#include "isa/ir/windows.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

/// Even lanes access shared memory, odd ones their local memory, by one instruction. Each stores 3 more than it
/// loads.
KernelRun both_windows(const Buffer& out) {
  return {fmt::format(R"(
.kernel windows
.param out ptr
.shared words 128
.local 16
    S2R R0, SR_LANEID
    SHF.L.U32 R1, R0, 0x2, RZ
    IADD3 R2, R0, 0x64, RZ
    STS [R1], R2
    MOV R3, 0x8
    STL [R3], R0
    LOP3.LUT R4, R0, 0x1, RZ, 0xc0, !PT
    ISETP.EQ.AND P0, PT, R4, RZ, PT
    SEL R6, R1, R3, P0
    MOV R7, {:#x}
@P0 MOV R7, {:#x}
    LD.E R8, [R6.64]
    IADD3 R8, R8, 0x3, RZ
    ST.E [R6.64], R8
    LDS R9, [R1]
    LDL R10, [R3]
    SEL R11, R9, R10, P0
    IMAD.WIDE R12, R0, 0x4, c[out]
    STG.E [R12.64], R11
    EXIT
)",
                      ir::kLocalWindow, ir::kSharedWindow),
          {1, 1, 1},
          {32, 1, 1},
          32,
          {out.address()}};
}

}  // namespace

TEST_CASE("LD and ST reach shared and local memory through their windows") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 128);
  run_kernel(both_windows(out), memory);
  for (unsigned lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    CHECK(out.as<std::uint32_t>()[lane] == (lane % 2 == 0 ? lane + 0x64 + 3 : lane + 3));
  }
}

}  // namespace heddle::exec
