// What instructions read and write, as the scoreboard sees it.
#include "isa/ir/register_use.h"

#include <set>

#include "isa/text/assemble.h"
#include "tests/support/catch.h"

namespace heddle::ir {
namespace {

using Slots = std::set<RegisterSlot>;

Instruction instruction(const std::string& line) {
  return text::assemble(".kernel k\n.param p ptr\n.shared tile 64\n" + line + "\nEXIT\n", "k.sass")[0]
      .instructions[0];
}

Slots reads(const std::string& line) {
  const RegisterUse use = register_use(instruction(line));
  return {use.reads.begin(), use.reads.end()};
}

Slots writes(const std::string& line) {
  const RegisterUse use = register_use(instruction(line));
  return {use.writes.begin(), use.writes.end()};
}

constexpr RegisterSlot ur(unsigned index) { return static_cast<RegisterSlot>(kFirstUniform + index); }
constexpr RegisterSlot r(unsigned index) { return static_cast<RegisterSlot>(kFirstRegister + index); }
constexpr RegisterSlot p(unsigned index) { return static_cast<RegisterSlot>(kPredicateSlots + index); }
constexpr RegisterSlot guard(unsigned index) { return static_cast<RegisterSlot>(kGuardSlots + index); }

TEST_CASE("arithmetic reads its sources and writes its destination") {
  CHECK(reads("IADD3 R1, R2, R3, R4") == Slots{r(2), r(3), r(4)});
  CHECK(writes("IADD3 R1, R2, R3, R4") == Slots{r(1)});
  CHECK(reads("FFMA R1, -R1, |R1|, R1") == Slots{r(1)});
  CHECK(reads("MOV R0, 0x5") == Slots{});
  CHECK(reads("MOV R0, c[blockDim.x]") == Slots{});
  CHECK(reads("F2I R254, R253") == Slots{r(253)});
  CHECK(writes("F2I R254, R253") == Slots{r(254)});
}

TEST_CASE("RZ and PT are nobody's registers") {
  CHECK(reads("IADD3 RZ, RZ, 0x1, RZ") == Slots{});
  CHECK(writes("IADD3 RZ, RZ, 0x1, RZ") == Slots{});
  CHECK(reads("SEL R0, R1, R2, PT") == Slots{r(1), r(2)});
  CHECK(writes("ISETP.LT.AND PT, PT, R1, R2, !PT") == Slots{});
  CHECK(reads("@PT NOP") == Slots{});
  CHECK(writes("LDG.E.128 RZ, [R2.64]") == Slots{});
}

TEST_CASE("pairs and quadruples take all their registers") {
  CHECK(reads("IMAD.WIDE R4, R2, R3, R6") == Slots{r(2), r(3), r(6), r(7)});
  CHECK(writes("IMAD.WIDE R4, R2, R3, R6") == Slots{r(4), r(5)});
  CHECK(reads("IMAD.WIDE R4, R2, 0x4, c[p]") == Slots{r(2)});
  CHECK(reads("LDG.E R0, [R2.64+0x10]") == Slots{r(2), r(3)});
  CHECK(writes("LDG.E R0, [R2.64]") == Slots{r(0)});
  CHECK(writes("LDG.E.64 R8, [R2.64]") == Slots{r(8), r(9)});
  CHECK(writes("LDG.E.128 R8, [R2.64]") == Slots{r(8), r(9), r(10), r(11)});
  CHECK(reads("STG.E.128 [R2.64], R8") == Slots{r(2), r(3), r(8), r(9), r(10), r(11)});
  CHECK(writes("STG.E.128 [R2.64], R8") == Slots{});
  CHECK(writes("LDC.64 R0, c[p]") == Slots{r(0), r(1)});
  CHECK(reads("LDC.64 R0, c[p]") == Slots{});
  CHECK(reads("LDC.64 R0, c[0x3][R9+0x10]") == Slots{r(9)});
  CHECK(reads("LDC R0, c[0x0][RZ+0x10]") == Slots{});
}

TEST_CASE("carries, votes and doubles use what they name and nothing that was left out") {
  CHECK(writes("IADD3 R0, R1, R2, R3") == Slots{r(0)});
  CHECK(writes("IADD3 R0, P2, R1, R2, R3") == Slots{r(0), p(2), guard(2)});
  CHECK(writes("IADD3.X R0, P2, P3, R1, R2, R3, P4, !P5") == Slots{r(0), p(2), guard(2), p(3), guard(3)});
  CHECK(reads("IADD3.X R0, P2, P3, R1, R2, R3, P4, !P5") == Slots{r(1), r(2), r(3), p(4), p(5)});
  CHECK(reads("PLOP3.LUT P0, P1, P2, !P3, PT, 0x80, 0x8") == Slots{p(2), p(3)});
  CHECK(writes("VOTE.ALL P0, P1") == Slots{p(0), guard(0)});
  CHECK(writes("VOTE.ANY R4, PT, P1") == Slots{r(4)});
  CHECK(reads("DFMA R0, R2, R4, R6") == Slots{r(2), r(3), r(4), r(5), r(6), r(7)});
  CHECK(writes("DFMA R0, R2, 1.5, R6") == Slots{r(0), r(1)});
  CHECK(reads("F2F.F32.F64 R0, R2") == Slots{r(2), r(3)});
  CHECK(writes("F2I.S64 R0, R2") == Slots{r(0), r(1)});
}

TEST_CASE("matrix instructions take all registers of their matrices") {
  const auto range = [](unsigned first, unsigned count) {
    Slots slots;
    for (unsigned i = 0; i < count; ++i) slots.insert(r(first + i));
    return slots;
  };
  const auto sum = [](Slots a, const Slots& b) {
    a.insert(b.begin(), b.end());
    return a;
  };
  CHECK(writes("HMMA.16816.F32 R0, R4, R8, R12") == range(0, 4));
  CHECK(reads("HMMA.16816.F32 R0, R4, R8, R12") == sum(range(4, 6), range(12, 4)));
  CHECK(reads("HMMA.16816.F32.BF16 R0, R4, R8, RZ") == range(4, 6));
  CHECK(writes("HMMA.16816.F16 R0, R4, R8, R10") == range(0, 2));
  CHECK(reads("HMMA.16816.F16 R0, R4, R8, R10") == range(4, 8));
  CHECK(writes("HMMA.1688.F32 R0, R4, R7, R8") == range(0, 4));
  CHECK(reads("HMMA.1688.F32 R0, R4, R7, R8") == sum(range(4, 2), sum(range(7, 1), range(8, 4))));
  CHECK(writes("HMMA.1688.F16 R0, R4, R7, R8") == range(0, 2));
  CHECK(reads("@!P1 HMMA.1688.F16 R0, R4, R7, R8") ==
        sum(Slots{guard(1), r(7)}, sum(range(4, 2), range(8, 2))));
  CHECK(writes("LDSM.16.M88 R3, [R9]") == range(3, 1));
  CHECK(writes("LDSM.16.MT88.2 R4, [R9]") == range(4, 2));
  CHECK(writes("LDSM.16.M88.4 R4, [R9+0x10]") == range(4, 4));
  CHECK(reads("LDSM.16.M88.4 R4, [R9+0x10]") == range(9, 1));
}

TEST_CASE("a warpgroup's product has its sums beside its lists, and reads them unless they are left out") {
  const auto sums = [](const std::string& line) { return register_use(instruction(line)).sums; };
  CHECK(sums("HGMMA.64x8x16.F32 R20, gdesc[UR4], R20").first == r(20));
  CHECK(sums("HGMMA.64x8x16.F32 R20, gdesc[UR4], R20").count == 4);
  CHECK(sums("HGMMA.64x256x16.F32 R124, gdesc[UR4], RZ").count == 128);
  CHECK(sums("HMMA.1688.F32 R0, R4, R6, R8").count == 0);
  CHECK(register_use(instruction("HGMMA.64x8x16.F32 R20, gdesc[UR4], R20")).reads_sums);
  CHECK_FALSE(register_use(instruction("HGMMA.64x8x16.F32 R20, gdesc[UR4], RZ")).reads_sums);
  CHECK_FALSE(register_use(instruction("HGMMA.64x8x16.F32 R20, gdesc[UR4], R20, !UPT")).reads_sums);
  CHECK(writes("HGMMA.64x8x16.F32 R20, gdesc[UR4], R20") == Slots{});
  CHECK(reads("HGMMA.64x8x16.F32 R20, gdesc[UR4], R20") == Slots{ur(4), ur(5), ur(6), ur(7)});
  CHECK(reads("HGMMA.64x8x16.F32 R20, R8, gdesc[UR4], R20") == Slots{r(8), r(9), r(10), r(11), ur(4), ur(5)});
}

TEST_CASE("uniform registers have slots of their own") {
  CHECK(reads("UIADD3 UR0, UR62, UR3, URZ") == Slots{ur(62), ur(3)});
  CHECK(writes("UIADD3 UR0, UR62, UR3, URZ") == Slots{ur(0)});
  CHECK(writes("UMOV URZ, 0x1") == Slots{});
  CHECK(reads("R2UR UR1, R5") == Slots{r(5)});
  CHECK(reads("IADD3 R0, R1, UR1, RZ") == Slots{r(1), ur(1)});
  CHECK_FALSE(is_register_slot(ur(0)));
  CHECK(is_uniform_slot(ur(0)));
  CHECK(ur(kMaxUniform) < kSlots);
}

TEST_CASE("global addresses are a register or two and two uniform ones") {
  CHECK(reads("LDG.E R0, [R2.64+UR4+0x8]") == Slots{r(2), r(3), ur(4), ur(5)});
  CHECK(reads("LDG.E R0, [R3.U32+UR4]") == Slots{r(3), ur(4), ur(5)});
  CHECK(reads("STG.E [UR60.64], R2") == Slots{ur(60), ur(61), r(2)});
  CHECK(reads("LDGSTS.E [R5+UR7], [R2.64+UR4]") == Slots{r(5), ur(7), r(2), r(3), ur(4), ur(5)});
}

TEST_CASE("shared addresses are a register and a uniform one, symbols none") {
  CHECK(reads("LDS R0, [R7.X4+UR5+0x8]") == Slots{r(7), ur(5)});
  CHECK(reads("STS [UR5], R2") == Slots{ur(5), r(2)});
  CHECK(reads("LDS R0, [R7+URZ]") == Slots{r(7)});
  CHECK(reads("LDS.64 R0, [R7+0x8]") == Slots{r(7)});
  CHECK(reads("LDS R0, [tile+0x8]") == Slots{});
  CHECK(reads("STS.64 [R7], R2") == Slots{r(7), r(2), r(3)});
}

TEST_CASE("predicates are read as operands or guards and written as both") {
  CHECK(reads("@!P3 SEL R0, R1, R2, !P4") == Slots{guard(3), r(1), r(2), p(4)});
  CHECK(writes("ISETP.LT.AND P0, P6, R1, R2, P3") == Slots{p(0), guard(0), p(6), guard(6)});
  CHECK(reads("ISETP.LT.AND P0, P6, R1, R2, P3") == Slots{r(1), r(2), p(3)});
  CHECK(reads("@P2 EXIT") == Slots{guard(2)});
  CHECK(reads("@P2 FSETP.LT.OR P2, PT, R0, R0, P2") == Slots{guard(2), p(2), r(0)});
  CHECK(writes("SHFL.DOWN P1, R0, R1, R2, R3") == Slots{p(1), guard(1), r(0)});
  CHECK(reads("SHFL.DOWN P1, R0, R1, R2, R3") == Slots{r(1), r(2), r(3)});
}

TEST_CASE("PR stands for the predicates of the mask") {
  CHECK(reads("P2R R0, PR, R1, 0x5") == Slots{p(0), p(2), r(1)});
  CHECK(writes("P2R R0, PR, RZ, 0x7f") == Slots{r(0)});
  CHECK(reads("R2P PR, R3, 0x42") == Slots{r(3)});
  CHECK(writes("R2P PR, R3, 0x42") == Slots{p(1), guard(1), p(6), guard(6)});
  CHECK(writes("R2P PR, R3, 0x7f").size() == 14);
}

TEST_CASE("slots of predicates, guards and registers do not overlap") {
  for (unsigned index = 0; index < kPredicateTrue; ++index) {
    CHECK_FALSE(is_register_slot(p(index)));
    CHECK_FALSE(is_guard_slot(p(index)));
    CHECK_FALSE(is_register_slot(guard(index)));
    CHECK(is_guard_slot(guard(index)));
  }
  for (unsigned index = 0; index <= kMaxRegister; ++index) {
    CHECK(is_register_slot(r(index)));
    CHECK_FALSE(is_guard_slot(r(index)));
    CHECK(r(index) < kSlots);
  }
}

TEST_CASE("operands are as wide as their role and the width modifier say") {
  const Instruction wide = instruction("LDG.E.128 R8, [R2.64]");
  CHECK(operand_width(wide, OperandRole::DstData) == 4);
  CHECK(operand_width(wide, OperandRole::GlobalAddress) == 2);
  const Instruction pair = instruction("STS.64 [R1], R2");
  CHECK(operand_width(pair, OperandRole::SrcData) == 2);
  CHECK(operand_width(pair, OperandRole::SharedAddress) == 1);
  const Instruction multiply = instruction("IMAD.WIDE R4, R2, R3, R6");
  CHECK(operand_width(multiply, OperandRole::DstPair) == 2);
  CHECK(operand_width(multiply, OperandRole::SrcPair) == 2);
  CHECK(operand_width(multiply, OperandRole::SrcReg) == 1);
}

TEST_CASE("a kernel has one register more than the highest it names, wide operands counted whole") {
  const auto registers = [](const std::string& line) {
    return text::assemble(".kernel k\n" + line + "\nEXIT\n", "k.sass")[0].registers;
  };
  CHECK(registers("NOP") <= 1);
  CHECK(registers("MOV R0, RZ") == 1);
  CHECK(registers("MOV RZ, R17") == 18);
  CHECK(registers("LDG.E.128 R8, [R2.64]") == 12);
  CHECK(registers("LDG.E R8, [R20.64]") == 22);
  CHECK(registers("MOV R254, RZ") == 255);
}

}  // namespace
}  // namespace heddle::ir
