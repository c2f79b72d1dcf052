#include "tests/support/faults.h"

#include "isa/stream/kernel_fault.h"
#include "tests/support/catch.h"

namespace heddle::test {

std::string fault_of(TextKernel& kernel, const sim::GpuSpec& spec, const sim::RunOptions& options) {
  try {
    kernel.run(spec, options);
    return "";
  } catch (const stream::KernelFault& fault) {
    return fault.what();
  }
}

void check_names(const std::string& message, std::initializer_list<const char*> parts) {
  INFO(message);
  for (const char* part : parts) {
    INFO(part);
    CHECK(message.find(part) != std::string::npos);
  }
}

std::string two_ways(const std::string& first, const std::string& other) {
  return "S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA other\n" + first +
         "\nBRA out\nother:\n" + other + "\nout:\n";
}

TextKernel waiting_blocks(unsigned naps, std::uint32_t blocks) {
  TextKernel kernel(R"(
    S2R R0, SR_CTAID.X
    LDC.64 R6, c[flag]
    ISETP.NE.AND P0, PT, R0, c[last], PT
@P0 BRA wait
    MOV R1, c[naps]
nap:
    NANOSLEEP 0xf4240
    IADD3 R1, R1, -0x1, RZ
    ISETP.GT.AND P1, PT, R1, RZ, PT
@P1 BRA nap
    MOV R2, 0x1
    STG.E.STRONG.GPU [R6.64], R2
    EXIT
wait:
    LDG.E.STRONG.GPU R2, [R6.64]
    ISETP.EQ.AND P2, PT, R2, RZ, PT
@P2 BRA wait
)",
                    {.x = 32}, {.x = blocks}, ".param flag ptr\n.param last u32\n.param naps u32");
  kernel.add_buffer("flag", 4);
  kernel.set("last", blocks - 1);
  kernel.set("naps", naps);
  return kernel;
}

}  // namespace heddle::test
