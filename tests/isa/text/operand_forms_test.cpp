// Forms of operands that disassemblers print.
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"

namespace heddle::text {
namespace {

ir::Kernel kernel_of(const std::string& line) {
  return assemble(".kernel k\n" + line + "\nEXIT\n", "k.sass")[0];
}

TEST_CASE("a register that is kept for the next instruction may have any width, sign, bars or half") {
  struct Form {
    std::string text;
    unsigned place;
  };
  const Form forms[] = {
      {"FADD R0, R1.reuse, R2", 1},
      {"FADD R0, R1, -R2.reuse", 2},
      {"FADD R0, |R1|.reuse, R2", 1},
      {"FADD R0, |R1.reuse|, R2", 1},
      {"FADD R0, -|R1|.reuse, R2", 1},
      {"FADD R0, -|R1.reuse|, R2", 1},
      {"FSETP.NEU.FTZ.AND P2, PT, |R3|.reuse, +INF , PT", 2},
      {"DADD R0, R2.reuse, R4", 1},
      {"DFMA R0, R2, -R4.reuse, R6", 2},
      {"DADD R0, |R2|.reuse, -R4", 1},
      {"IMAD.WIDE R0, R2.reuse, 0x4, R4", 1},
      {"IMAD.WIDE.U32 R0, R2, R3, R4.reuse", 4},
      {"HADD2 R0, R1.H0_H0.reuse, R2", 1},
      {"HADD2 R0, R1.reuse.H0_H0, R2", 1},
      {"HADD2 R0, -R1.H1_H1.reuse, R2", 1},
      {"HFMA2 R0, R1, |R2|.H0_H0.reuse, R3", 2},
      {"HMMA.16816.F32 R4, R8.reuse, R12, R4", 1},
      {"HMMA.16816.F32 R4, R8, R12.reuse, R4", 2},
      {"SHF.R.U32.HI R0, RZ, 0x5, R1.reuse", 3},
      {"STG.E [R2.64], R4.reuse", 1},
      {"ISETP.GE.AND P0, PT, R0.reuse, R1.reuse, PT", 2},
  };
  for (const Form& form : forms) {
    INFO(form.text);
    const ir::Kernel kernel = kernel_of(form.text);
    const ir::Instruction& read = kernel.instructions[0];
    // IMAD.WIDE may have a carry that is left out.
    bool reuse = false;
    for (const ir::Operand& operand : read.operands) reuse = reuse || operand.reuse;
    CHECK(reuse);
    CHECK(kernel.banked);
    const ir::Kernel again = assemble(disassemble(kernel), "again")[0];
    CHECK(again.instructions[0].operands == read.operands);
  }
  CHECK_THROWS_WITH(kernel_of("FADD R0.reuse, R1, R2"), Catch::Contains("'R0.reuse' is no register"));
}

TEST_CASE("signs stand where hardware has them") {
  for (const std::string line : {
           "LEA R1, R0, -R0, 0x2",
           "LEA R1, -R0, R2, 0x2",
           "LEA R1, P0, R0, -R2, 0x2",
           "LEA R1, R0, -0x10, 0x2",
           "LEA.HI R1, R0, -R2, R3, 0x1",
           "LEA.HI.X R1, R0, ~R2, R3, 0x1, P0",
           "LEA.HI.SX32 R1, R0, -R2, 0x1",
           "LEA.HI.X.SX32 R1, R0, ~R2, 0x1, P0",
           "IADD3 R0, -R1, -R2, R3",
           "IMAD R0, R1, R2, -R3",
           "IMAD R0, R1, -R2, R3",
           "FMNMX R0, -R1, |R2|, PT",
           "FSEL R0, -R1, R2, P0",
           "DADD R0, -R2, |R4|",
           "MUFU.RCP R0, -|R1|",
           "MUFU.RCP64H R3, 100000000",
           "MUFU.RSQ R3, -QNAN ",
           "MUFU.EX2 R3, c[0x0][0x0]",
           "MUFU.RCP R3, UR4",
           "F2I.TRUNC.NTZ R0, -R1",
       }) {
    INFO(line);
    const ir::Kernel kernel = kernel_of(line);
    const ir::Kernel again = assemble(disassemble(kernel), "again")[0];
    CHECK(again.instructions[0].operands == kernel.instructions[0].operands);
  }
  CHECK_THROWS_WITH(kernel_of("LEA.HI R1, -R0, R2, R3, 0x1"),
                    Catch::Contains("LEA.HI takes no negated operands"));
  CHECK_THROWS_WITH(kernel_of("LEA R1, ~R0, R2, 0x1"), Catch::Contains("LEA takes no inverted operands"));
}

TEST_CASE("a number of MUFU is the float that disassemblers print, also for the high word of a double") {
  // 100000000 is 0x4cbebc20 as a float.
  CHECK(kernel_of("MUFU.RCP64H R3, 100000000").instructions[0].operands[1].value == 0x4cbebc20);
}

}  // namespace
}  // namespace heddle::text
