#include "isa/text/assemble.h"

#include <bit>

#include "isa/base/diagnostic.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"

namespace heddle::text {
namespace {

using ir::Operand;

ir::Kernel one_kernel(const std::string& body) {
  auto kernels = assemble(
      ".kernel k\n.param a ptr\n.param n u32\n.param x f32\n.shared tile 100\n"
      ".shared tail 8\n" +
          body + "\nEXIT\n",
      "k.sass");
  REQUIRE(kernels.size() == 1);
  return kernels[0];
}

ir::Instruction first_of(const std::string& line) { return one_kernel(line).instructions[0]; }

Operand operand_of(const std::string& line, unsigned place) { return first_of(line).operands[place]; }

std::uint64_t value_of(const std::string& line, unsigned place) { return operand_of(line, place).value; }

TEST_CASE("parameters may begin where code for compute capability 9.0 has them") {
  const ir::Kernel kernel = assemble(
      ".kernel k\n.param_base 0x210\n.param out ptr\n.param n u32\n"
      "MOV R0, c[0x0][0x218]\nMOV R1, c[n]\nEXIT\n",
      "")[0];
  CHECK(kernel.params[0].offset == 0x210);
  CHECK(kernel.instructions[0].operands[1] == kernel.instructions[1].operands[1]);
  CHECK(disassemble(kernel).starts_with(
      ".kernel k\n.param_base 0x210\n.param out ptr\n.param n u32\n    MOV R0, c[n]\n"));
}

TEST_CASE("the kernel of the header comment is read as written") {
  const auto kernels = assemble(R"(
.kernel vecadd
.param a ptr
.param b ptr
.param c ptr
.param n u32
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    IMAD R0, R1, c[blockDim.x], R0        // i = blockIdx.x * blockDim.x + threadIdx.x
    ISETP.GE.U32.AND P0, PT, R0, c[n], PT
@P0 EXIT
    IMAD.WIDE R2, R0, 0x4, c[a]
    LDG.E R6, [R2.64]
    IMAD.WIDE R4, R0, 0x4, c[b]
    LDG.E R7, [R4.64]
    IMAD.WIDE R8, R0, 0x4, c[c]
    FADD R6, R6, R7
    STG.E [R8.64], R6
    EXIT
)",
                                "vecadd.sass");
  REQUIRE(kernels.size() == 1);
  const ir::Kernel& kernel = kernels[0];
  CHECK(kernel.name == "vecadd");
  CHECK(kernel.file == "vecadd.sass");
  CHECK(kernel.registers == 10);
  CHECK(kernel.static_shared_bytes == 0);
  REQUIRE(kernel.instructions.size() == 13);
  REQUIRE(kernel.params.size() == 4);
  CHECK(kernel.params[3].name == "n");
  CHECK(kernel.params[3].type == ir::ParamType::U32);
  CHECK(kernel.params[3].offset == 0x178);

  const ir::Instruction& compare = kernel.instructions[3];
  CHECK(compare.opcode == ir::Opcode::Isetp);
  CHECK(compare.line == 10);
  CHECK(compare.guard.always());
  CHECK(compare.modifiers.has(ir::Modifier::CompareGe));
  CHECK(compare.modifiers.has(ir::Modifier::IntTypeU32));
  CHECK(compare.modifiers.has(ir::Modifier::BoolAnd));
  CHECK(compare.operands[0] == Operand{Operand::Kind::Predicate, 0, false, false, 0});
  CHECK(compare.operands[1] == Operand{Operand::Kind::Predicate, ir::kPredicateTrue, false, false, 0});
  CHECK(compare.operands[2] == Operand{Operand::Kind::Register, 0, false, false, 0});
  CHECK(compare.operands[3] == Operand{Operand::Kind::Constant, 0, false, false, 0x178});

  CHECK(kernel.instructions[4].guard == ir::Guard{0, false});
  CHECK(kernel.instructions[0].operands[1].kind == Operand::Kind::Special);
  CHECK(kernel.instructions[2].operands[2].value == 0);
  CHECK(kernel.instructions[5].operands[4].value == 0x160);  // behind the carry that is left out
  CHECK(kernel.instructions[6].operands[1] == Operand{Operand::Kind::Address, 2, false, false, 0});
}

TEST_CASE("parameters are aligned to their size and lie behind one another") {
  const auto kernel = assemble(
      ".kernel k\n.param a u32\n.param b ptr\n.param c f32\n.param d s32\n.param e u64\nEXIT", "")[0];
  std::vector<std::uint32_t> offsets;
  for (const ir::Param& param : kernel.params) offsets.push_back(param.offset);
  CHECK(offsets == std::vector<std::uint32_t>{0x160, 0x168, 0x170, 0x174, 0x178});
}

TEST_CASE("shared symbols lie behind one another, aligned to 16 bytes or as asked") {
  const auto kernel = assemble(
      ".kernel k\n.shared a 20\n.shared b 3\n.shared c 5 align 1\n.shared d 8 align 64\nEXIT", "")[0];
  std::vector<std::uint32_t> offsets;
  for (const ir::SharedSymbol& symbol : kernel.shared_symbols) offsets.push_back(symbol.offset);
  CHECK(offsets == std::vector<std::uint32_t>{0, 32, 35, 64});
  CHECK(kernel.static_shared_bytes == 72);
}

TEST_CASE("a bare number is an integer or a float, as the instruction works on") {
  CHECK(value_of("IADD3 R0, R1, 1, RZ", 4) == 1);
  CHECK(value_of("IADD3 R0, R1, -1, RZ", 4) == 0xffffffff);
  CHECK(value_of("IADD3 R0, R1, -0x80000000, RZ", 4) == 0x80000000);
  CHECK(value_of("IADD3 R0, R1, 4294967295, RZ", 4) == 0xffffffff);
  CHECK(value_of("FADD R0, R1, 1", 2) == 0x3f800000);
  CHECK(value_of("FADD R0, R1, -1", 2) == 0xbf800000);
  CHECK(value_of("FADD R0, R1, -0", 2) == 0x80000000);
  CHECK(value_of("FADD R0, R1, +.5", 2) == 0x3f000000);
  CHECK(value_of("FADD R0, R1, -1e-3", 2) == std::bit_cast<std::uint32_t>(-1e-3F));
  CHECK(value_of("FADD R0, R1, 0x1", 2) == 1);
  CHECK(value_of("FADD R0, R1, 0f3F800000", 2) == 0x3f800000);
  CHECK(value_of("FADD R0, R1, +INF", 2) == 0x7f800000);
  CHECK(value_of("FADD R0, R1, -INF", 2) == 0xff800000);
  CHECK(value_of("FADD R0, R1, +QNAN", 2) == 0x7fffffff);
  CHECK(value_of("FSEL R0, R1, 2, P0", 2) == 0x40000000);
}

TEST_CASE("moves and selections take floats by their looks") {
  CHECK(value_of("MOV R0, 1", 1) == 1);
  CHECK(value_of("MOV R0, 1.0", 1) == 0x3f800000);
  CHECK(value_of("MOV R0, -2.5e0", 1) == 0xc0200000);
  CHECK(value_of("MOV R0, -INF", 1) == 0xff800000);
  CHECK(value_of("SEL R0, R1, 0.5, P0", 2) == 0x3f000000);
}

TEST_CASE("signs stand before float sources and addends") {
  CHECK(operand_of("FADD R0, -R1, R2", 1) == Operand{Operand::Kind::Register, 1, true, false, 0});
  CHECK(operand_of("FADD R0, |R1|, R2", 1) == Operand{Operand::Kind::Register, 1, false, true, 0});
  CHECK(operand_of("FADD R0, R1, -|R2|", 2) == Operand{Operand::Kind::Register, 2, true, true, 0});
  CHECK(operand_of("FADD R0, R1, -c[x]", 2) == Operand{Operand::Kind::Constant, 0, true, false, 0x16c});
  CHECK(operand_of("IADD3 R0, -R1, R2, -RZ", 5) ==
        Operand{Operand::Kind::Register, ir::kRegisterZero, true, false, 0});
  CHECK(operand_of("IMAD R0, R1, R2, -R3", 3).negated);
}

TEST_CASE("numbers are doubles or two halves where the instruction works on those") {
  CHECK(value_of("DADD R0, R2, 1", 2) == 0x3ff0000000000000);
  CHECK(value_of("DADD R0, R2, -0.1", 2) == 0xbfb999999999999a);
  CHECK(value_of("DADD R0, R2, 0x1", 2) == 1);
  CHECK(value_of("DADD R0, R2, -INF", 2) == 0xfff0000000000000);
  CHECK(operand_of("DADD R0, -|R2|, -c[a]", 1) == Operand{Operand::Kind::Register, 2, true, true, 0});
  CHECK(operand_of("DADD R0, -|R2|, -c[a]", 2) == Operand{Operand::Kind::Constant, 0, true, false, 0x160});
  CHECK(value_of("HADD2 R0, R1, 1, -2", 2) == 0x3c00c000);
  CHECK(value_of("HADD2 R0, R1, -65519, INF", 2) == 0xfbff7c00);
  CHECK(value_of("HADD2 R0, R1, 0x12345678", 2) == 0x12345678);
  CHECK(value_of("HADD2.BF16_V2 R0, R1, 1, -2", 2) == 0x3f80c000);
}

TEST_CASE("optional operands are what they mean when they are left out") {
  const Operand no_result{Operand::Kind::Predicate, ir::kPredicateTrue, false, false, 0};
  const Operand no_carry{Operand::Kind::Predicate, ir::kPredicateTrue, true, false, 0};
  const ir::Instruction plain = first_of("IADD3.X R0, R1, R2, R3");
  CHECK(plain.operands[1] == no_result);
  CHECK(plain.operands[2] == no_result);
  CHECK(plain.operands[6] == no_carry);
  CHECK(plain.operands[7] == no_carry);
  const ir::Instruction full = first_of("IADD3.X R0, P1, P2, R1, R2, R3, P3, !P4");
  CHECK(full.operands[1].index == 1);
  CHECK(full.operands[2].index == 2);
  CHECK(full.operands[6] == Operand{Operand::Kind::Predicate, 3, false, false, 0});
  CHECK(full.operands[7] == Operand{Operand::Kind::Predicate, 4, true, false, 0});
  const ir::Instruction one = first_of("IADD3 R0, P1, R1, R2, R3");
  CHECK(one.operands[1].index == 1);
  CHECK(one.operands[2] == no_result);
  CHECK(operand_of("VOTE.ALL P0, P1", 0) == Operand{Operand::Kind::Register, ir::kRegisterZero, false, false, 0});
  CHECK(operand_of("VOTE.ANY R4, PT, P1", 0).index == 4);
}

TEST_CASE("addresses are sums in any order") {
  CHECK(operand_of("LDG.E R0, [R2.64+0x10]", 1) == Operand{Operand::Kind::Address, 2, false, false, 0x10});
  CHECK(operand_of("LDG.E R0, [R2]", 1) == Operand{Operand::Kind::Address, 2, false, false, 0});
  const auto minus_16 = static_cast<std::uint64_t>(-16);
  CHECK(value_of("LDG.E R0, [R2.64+-0x10]", 1) == minus_16);
  CHECK(value_of("LDG.E R0, [R2-16]", 1) == minus_16);
  CHECK(operand_of("LDS R0, [0x20]", 1) ==
        Operand{Operand::Kind::Address, ir::kRegisterZero, false, false, 0x20});
  CHECK(operand_of("LDS R0, [tail]", 1) ==
        Operand{Operand::Kind::Address, ir::kRegisterZero, false, false, 112});
  CHECK(operand_of("LDS R0, [R3+tail+4]", 1) == Operand{Operand::Kind::Address, 3, false, false, 116});
  CHECK(operand_of("LDS R0, [4+tail+R3-tile]", 1) == Operand{Operand::Kind::Address, 3, false, false, 116});
  const Operand scaled = operand_of("STS [0x8+UR5+R3.X8], R0", 0);
  CHECK(scaled.index == 3);
  CHECK(scaled.scale == 8);
  CHECK(scaled.uniform == 5);
  CHECK(scaled.value == 8);
  CHECK(operand_of("STG.E.128 [RZ.64], RZ", 1).index == ir::kRegisterZero);
}

TEST_CASE("constants go by name or by bank and offset") {
  CHECK(value_of("MOV R0, c[gridDim.z]", 1) == 0x14);
  CHECK(value_of("MOV R0, c[0x0][0x164]", 1) == 0x164);
  CHECK(value_of("LDC.64 R0, c[a]", 1) == 0x160);
  CHECK(value_of("LDC R0, c[n]", 1) == 0x168);
}

TEST_CASE("modifiers may come in any order") {
  const ir::Instruction one = first_of("SHF.R.S32.HI R1, RZ, 0x1f, R0");
  const ir::Instruction other = first_of("SHF.HI.R.S32 R1, RZ, 0x1f, R0");
  CHECK(one.modifiers == other.modifiers);
  CHECK(one.modifiers.has(ir::Modifier::ShiftDirectionRight));
  CHECK(one.modifiers.has(ir::Modifier::HalfHigh));
  CHECK_FALSE(first_of("SHF.L.U32 R0, R1, 0x2, RZ").modifiers == one.modifiers);
}

TEST_CASE("the last operand of LOP3 and BAR.SYNC may be left out") {
  CHECK(operand_of("LOP3.LUT R0, R1, R2, RZ, 0xc0", 6) ==
        Operand{Operand::Kind::Predicate, ir::kPredicateTrue, true, false, 0});
  CHECK(operand_of("LOP3.LUT R0, R1, R2, RZ, 0xc0, !PT", 6) ==
        operand_of("LOP3.LUT R0, R1, R2, RZ, 0xc0", 6));
  CHECK(operand_of("BAR.SYNC", 0) == Operand{});
  CHECK(value_of("BAR.SYNC.DEFER_BLOCKING 0xf", 0) == 15);
}

TEST_CASE("labels may stand alone, before an instruction, or several at one place") {
  const ir::Kernel kernel = one_kernel("top: .L_x_1:\n  NOP\n@!P0 BRA end\n  BRA top\nend:");
  REQUIRE(kernel.labels.size() == 3);
  CHECK(kernel.labels[0].name == "top");
  CHECK(kernel.labels[1].name == ".L_x_1");
  CHECK(kernel.labels[1].pc == 0);
  CHECK(kernel.labels[2].pc == 3);
  CHECK(kernel.instructions[1].operands[1] == Operand{Operand::Kind::Target, 0, false, false, 3});
  CHECK(kernel.instructions[1].guard == ir::Guard{0, true});
  CHECK(kernel.instructions[2].operands[1].value == 0);
}

TEST_CASE("registers are counted with their widths, and more can be asked for") {
  CHECK(one_kernel("NOP").registers == 1);
  CHECK(one_kernel("NOP").barriers == 0);
  CHECK(one_kernel("BAR.SYNC 0x0").barriers == 1);
  CHECK(one_kernel("BAR.SYNC 0x3\n    BAR.SYNC 0x1").barriers == 4);
  CHECK(one_kernel("LDG.E.128 R8, [R2.64]").registers == 12);
  CHECK(one_kernel("STG.E [R20.64], R3").registers == 22);
  CHECK(one_kernel("MOV R254, RZ").registers == 255);
  CHECK(one_kernel(".registers 40\nMOV R1, R2").registers == 40);
}

TEST_CASE("what disassemblers print around an instruction is read as it stands") {
  const auto kernels = assemble(R"(
.kernel k
.param n u32
        /*0000*/                   MOV R1, c[0x0][0x28] ;          /* 0x00000a0000017a02 */
                                                                   /* 0x000fe40000000f00 */
.L_x_0:
        /*0010*/                   ULDC.64 UR4, c[0x0][0x118] ;
        /*0020*/                   LDG.E.64.CONSTANT R4, desc[UR4][R2.64+0x8] ;
        /*0030*/               @P0 BRA 0x60 ;
        /*0040*/                   STG.E desc[UR4][R2.64], R4 ;
        /*0050*/               @P1 BRA `(.L_x_0) ;
        /*0060*/                   EXIT ;
        /*0070*/                   BRA 0x70;
        /*0080*/                   NOP;
.L_x_1:
        /*0090*/                   NOP;
.L_x_2:
)",
                                "k.sass");
  const ir::Kernel by_hand = one_kernel(R"(
    MOV R1, c[0x0][0x28]
again:
    ULDC.64 UR4, c[0x0][0x118]
    LDG.E.64 R4, [R2.64+0x8]
@P0 BRA end
    STG.E [R2.64], R4
@P1 BRA again
end:
    EXIT
stop:
    BRA stop)");
  const std::vector<ir::Instruction>& read = kernels[0].instructions;
  REQUIRE(read.size() + 1 == by_hand.instructions.size());  // padding is gone; one_kernel ends with an EXIT
  for (std::size_t pc = 0; pc < read.size(); ++pc) {
    INFO("instruction " << pc);
    CHECK(read[pc].opcode == by_hand.instructions[pc].opcode);
    CHECK(read[pc].operands == by_hand.instructions[pc].operands);
    CHECK(read[pc].guard == by_hand.instructions[pc].guard);
  }
  CHECK(read[2].modifiers.has(ir::Modifier::ReadOnlyConstant));
}

/// What is said against a kernel of these lines.
std::string mistakes_in(const std::string& lines) {
  try {
    assemble(".kernel k\n" + lines, "k.sass");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

bool is_refused(const std::string& lines, std::string_view reason) {
  return mistakes_in(lines).find(reason) != std::string::npos;
}

TEST_CASE("NOPs at the end that something leads to are no padding") {
  CHECK(is_refused("BRA 0x10\nNOP\n", "can run past its end"));
  CHECK(is_refused("BRA .L_1\nNOP\n.L_1:\n", "can run past its end"));
  CHECK(is_refused("EXIT\nlast:\nNOP\n", "can run past its end"));
  CHECK(is_refused("@P0 EXIT\nNOP\n", "can run past its end"));
  CHECK(is_refused("NOP\n", "can run past its end"));
  CHECK(is_refused("EXIT\nlast:\n", "no instruction follows label 'last'"));
  CHECK(mistakes_in("EXIT\n.L_5:\n").empty());
  CHECK(mistakes_in("EXIT\nNOP\n.L_5:\nNOP\n.L_6:").empty());
  CHECK_FALSE(is_refused("@P0 EXIT\nRETX\nNOP\n", "can run past its end"));
}

TEST_CASE("where addresses are printed, branches go by them, and not to one whose instruction is missing") {
  const std::string head = ".kernel k\n/*0000*/ NOP;\n";
  const std::string tail = "/*0030*/ @P0 BRA 0x40;\n/*0040*/ EXIT;\n";
  const auto whole = assemble(head + "/*0010*/ NOP;\n/*0020*/ NOP;\n" + tail, "k.sass");
  CHECK(whole[0].instructions[3].operands[1].value == 4);
  const auto shorter = assemble(head + "/*0020*/ NOP;\n" + tail, "k.sass");
  CHECK(shorter[0].instructions[2].operands[1].value == 3);
  CHECK(is_refused("/*0000*/ NOP;\n/*0020*/ BRA 0x10;\n",
                   "no instruction of kernel 'k' lies at '0x10'; their addresses stand in the comments"));
}

TEST_CASE("comments, semicolons, line ends and a byte order mark do not matter") {
  const auto kernels = assemble(
      "\xef\xbb\xbf# first\r\n.kernel k // name\r\n /*0000*/ NOP ; /* 0x0 */\r\n NOP; NOP /* two\r\n lines "
      "*/\r\n"
      " FADD R0, /* here */ R1, R2;;\r\n EXIT;",
      "");
  REQUIRE(kernels[0].instructions.size() == 5);
  CHECK(kernels[0].instructions[2].line == 4);
  CHECK(kernels[0].instructions[3].line == 6);
}

TEST_CASE("a file may hold several kernels, each with names of its own") {
  const auto kernels = assemble(
      ".kernel one\n.param n u32\nx: MOV R9, c[n]\nBRA x\n.kernel two\n.param n u64\nx: LDC.64 R0, "
      "c[n]\nEXIT",
      "");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "one");
  CHECK(kernels[0].registers == 10);
  CHECK(kernels[1].name == "two");
  CHECK(kernels[1].registers == 2);
  CHECK(kernels[1].params[0].type == ir::ParamType::U64);
}

}  // namespace
}  // namespace heddle::text
