#include "isa/cfg/polling.h"

#include <fmt/format.h>

#include "isa/text/assemble.h"
#include "tests/support/catch.h"

namespace heddle::cfg {
namespace {

std::vector<Pc> polls_of(const std::string& body) {
  return polling_accesses(text::assemble(".kernel k\n.shared word 4\n" + body, "")[0]);
}

const std::vector<Pc> kNone;

TEST_CASE("a loop that waits for a flag polls") {
  CHECK(polls_of("spin: LDG.E R0, [R2.64]\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA spin\nEXIT") ==
        std::vector<Pc>{0});
  CHECK(polls_of("spin: ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], RZ\nISETP.NE.AND P0, PT, R0, R1, PT\n"
                 "@!P0 EXIT\nNANOSLEEP 0x20\nBRA spin") == std::vector<Pc>{0});
}

TEST_CASE("an address that is made anew each time round is the same address") {
  // R4 is address, then data: it does not move.
  CHECK(polls_of("spin: IMAD.WIDE.U32 R4, R1, 0x4, R2\nLDG.E R4, [R4.64]\nISETP.EQ.AND P0, PT, R4, RZ, PT\n"
                 "@P0 BRA spin\nEXIT") == std::vector<Pc>{1});
}

TEST_CASE("an address is what it is made of, uniform registers, too") {
  const std::string rest = "ISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA spin\nEXIT";
  for (const std::string address : {"[UR4.64]", "[R2.64+UR4]", "[R2.U32+UR4]"}) {
    INFO(address);
    const std::string load = "LDG.E R0, " + address + "\n";
    CHECK(polls_of("spin: " + load + rest) == std::vector<Pc>{0});
    CHECK(polls_of("spin: " + load + "UIADD3 UR4, UR4, 0x4, URZ\n" + rest) == kNone);
  }
  // R3 is no part of R2.U32.
  CHECK(polls_of("spin: LDG.E R0, [R2.U32+UR4]\nIADD3 R3, R3, 0x4, RZ\n" + rest) == std::vector<Pc>{0});
}

TEST_CASE("a loop that counts the rounds it waits polls all the same") {
  CHECK(polls_of(
            "spin: LDG.E R0, [R2.64]\nIADD3 R1, R1, 0x1, RZ\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA spin\n"
            "EXIT") == std::vector<Pc>{0});
}

TEST_CASE("a result that reaches a branch by a flag, shared memory or a barrier counts") {
  CHECK(polls_of("spin: LDG.E R0, [R2.64]\nISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 MOV R1, 0x1\n"
                 "ISETP.EQ.AND P1, PT, R1, RZ, PT\n@P1 BRA spin\nEXIT") == std::vector<Pc>{0});
  CHECK(polls_of("spin: @P3 LDG.E R0, [R2.64]\n@P3 STS [word], R0\nBAR.SYNC 0x0\nLDS R1, [word]\n"
                 "ISETP.EQ.AND P1, PT, R1, RZ, PT\n@P1 BRA spin\nEXIT") == std::vector<Pc>{0});
}

TEST_CASE("a copy to shared memory brings what a loop waits for, too") {
  const std::string loop =
      "spin: LDGSTS.E [RZ+word], [R2.64]\nLDGDEPBAR\nDEPBAR.LE SB0, 0x0\nLDS R1, [word]\n"
      "ISETP.EQ.AND P1, PT, R1, RZ, PT\n";
  CHECK(polls_of(loop + "@P1 BRA spin\nEXIT") == std::vector<Pc>{0});
  // What is copied is not what the branch asks for, or lies further on each time.
  CHECK(polls_of(loop + "IADD3 R5, R5, 0x1, RZ\nISETP.LT.AND P2, PT, R5, 0x9, PT\n@P2 BRA spin\nEXIT") ==
        kNone);
  CHECK(polls_of(loop + "IADD3 R2, R2, 0x4, RZ\n@P1 BRA spin\nEXIT") == kNone);
}

TEST_CASE("a walk along a list, an array or a search is no polling") {
  CHECK(polls_of("walk: LDG.E.64 R2, [R2.64]\nISETP.NE.AND P0, PT, R2, RZ, PT\n@P0 BRA walk\nEXIT") == kNone);
  CHECK(polls_of(
            "next: LDG.E R0, [R2.64]\nIADD3 R2, R2, 0x4, RZ\nISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA next\n"
            "EXIT") == kNone);
  CHECK(polls_of("look: IADD3 R4, R0, R1, RZ\nIMAD.WIDE.U32 R6, R4, 0x4, R2\nLDG.E R5, [R6.64]\n"
                 "ISETP.LT.AND P0, PT, R5, R9, PT\n@P0 MOV R0, R4\n@!P0 MOV R1, R4\n"
                 "ISETP.LT.AND P1, PT, R0, R1, PT\n@P1 BRA look\nEXIT") == kNone);
}

TEST_CASE("a walk that can stay where it is polls") {
  // The look-back of a scan: on to the flag before only where this one is set.
  CHECK(
      polls_of(
          "look: LDG.E R0, [R2.64]\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA look2\nIADD3 R2, R2, -0x4, RZ\n"
          "look2: ISETP.NE.AND P1, PT, R0, 0x2, PT\n@P1 BRA look\nEXIT") == std::vector<Pc>{0});
}

TEST_CASE("what no branch depends on, and what no loop repeats, is no polling") {
  CHECK(
      polls_of(
          "top: LDG.E R0, [R2.64]\nFADD R5, R5, R0\nIADD3 R1, R1, -0x1, RZ\nISETP.NE.AND P0, PT, R1, RZ, PT\n"
          "@P0 BRA top\nEXIT") == kNone);
  CHECK(polls_of("ATOMG.E.INC.STRONG.GPU PT, R0, [R2.64], R1\nISETP.NE.AND P0, PT, R0, R1, PT\n@P0 EXIT\n"
                 "top: IADD3 R1, R1, -0x1, RZ\nISETP.NE.AND P0, PT, R1, R0, PT\n@P0 BRA top\nEXIT") == kNone);
}

TEST_CASE("a loop that calls who looks polls") {
  CHECK(polls_of("spin: CALL.REL.NOINC look\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA spin\nEXIT\n"
                 "look: LDG.E R0, [R2.64]\nRET.REL.NODEC") == std::vector<Pc>{4});
  CHECK(polls_of("next: CALL.REL.NOINC look\nIADD3 R2, R2, 0x4, RZ\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA "
                 "next\nEXIT\n"
                 "look: LDG.E R0, [R2.64]\nRET.REL.NODEC") == kNone);
}

TEST_CASE("both loops of a nest are looked at") {
  CHECK(polls_of("outer: IADD3 R2, R2, 0x4, RZ\nspin: LDG.E R0, [R2.64]\nISETP.EQ.AND P0, PT, R0, RZ, "
                 "PT\n@P0 BRA spin\n"
                 "IADD3 R1, R1, -0x1, RZ\nISETP.NE.AND P0, PT, R1, RZ, PT\n@P0 BRA outer\nEXIT") ==
        std::vector<Pc>{1});
}

/// The place where the next load looks comes from the last; each second step may be left out.
std::string load_and_step(int k) {
  const int data = 8 + k % 200;
  return fmt::format("LDG.E R{}, [R2.64]\n{}IADD3 R2, R2, R{}, RZ\n", data, k % 2 == 0 ? "@P1 " : "", data);
}

TEST_CASE("long loops and deep nests are looked at in no time") {
  const std::string ask = "ISETP.NE.AND P0, PT, R0, RZ, PT\n";
  std::string walk;
  for (int k = 0; k < 2000; ++k) walk += load_and_step(k);
  CHECK(polls_of("top: LDG.E R0, [R2.64]\n" + walk + ask + "@P0 BRA top\nEXIT") == kNone);
  CHECK(polls_of("top: LDG.E R0, [R4.64]\n" + walk + ask + "@P0 BRA top\nEXIT") == std::vector<Pc>{0});

  constexpr int kLoops = 400;
  std::string begins;
  std::string ends;
  for (int k = 0; k < kLoops; ++k) {
    begins += fmt::format("l{}: ", k) + load_and_step(k);
    ends += ask + fmt::format("@P0 BRA l{}\n", kLoops - 1 - k);
  }
  CHECK(polls_of(begins + "LDG.E R0, [R2.64]\n" + ends + "EXIT") == kNone);
}

}  // namespace
}  // namespace heddle::cfg
