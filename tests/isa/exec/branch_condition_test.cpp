// Control instructions with a predicate among their operands, branches that ask who is there, and return
// addresses.
#include <fmt/format.h>

#include <cstring>
#include <functional>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

const auto kBoth = {Divergence::Stack, Divergence::Barriers};

/// What each lane leaves in R1, from 0x100 on where it stores nothing.
std::vector<std::uint32_t> results(const std::string& body, Divergence divergence) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 32 * 4);
  std::vector<std::uint32_t> words(32, 0x100);
  std::memcpy(out.bytes().data(), words.data(), out.bytes().size());
  test::KernelRun run;
  run.text =
      ".kernel k\n.param out ptr\n"
      "S2R R0, SR_LANEID\n"
      "ISETP.GE.AND P0, PT, R0, 0x8, PT\n"
      "LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT\n"
      "ISETP.NE.AND P1, PT, R2, RZ, PT\n" +
      body +
      "store: IMAD.WIDE.U32 R4, R0, 0x4, c[out]\nSTG.E [R4.64], R1\nEXIT\n"
      "bad: MOV R1, 0x63\nBRA store\n";
  run.params = {out.address()};
  run.divergence = divergence;
  test::run_kernel(run, memory);
  std::memcpy(words.data(), out.bytes().data(), out.bytes().size());
  return words;
}

void check_lanes(const std::string& body, const std::function<std::uint32_t(unsigned)>& expected) {
  for (const Divergence divergence : kBoth) {
    INFO(body << static_cast<int>(divergence));
    const std::vector<std::uint32_t> found = results(body, divergence);
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(found[lane] == expected(lane));
  }
}

TEST_CASE("a branch is taken where its guard and its predicate hold") {
  struct Form {
    std::string text;
    bool (*holds)(bool p0, bool p1);
  };
  const Form forms[] = {
      {"@P0 BRA P1, taken", [](bool p0, bool p1) { return p0 && p1; }},
      {"@P0 BRA !P1, `(taken)", [](bool p0, bool p1) { return p0 && !p1; }},
      {"@!P0 BRA P1, taken", [](bool p0, bool p1) { return !p0 && p1; }},
      {"BRA P1, taken", [](bool, bool p1) { return p1; }},
      {"BRA !P0, taken", [](bool p0, bool) { return !p0; }},
      {"BRA PT, taken", [](bool, bool) { return true; }},
      {"@P0 BRA !PT, taken", [](bool, bool) { return false; }},
  };
  for (const Form& form : forms) {
    check_lanes("MOV R1, 0x1\n" + form.text + "\nIADD3 R1, R1, 0x10, RZ\ntaken:\nIADD3 R1, R1, 0x1, RZ\n",
                [&](unsigned lane) { return form.holds(lane >= 8, lane % 2 != 0) ? 2U : 18U; });
  }
}

TEST_CASE("lanes exit, leave a barrier and call where both predicates hold") {
  check_lanes("MOV R1, 0x7\n@P0 EXIT P1\n",
              [](unsigned lane) { return lane >= 8 && lane % 2 != 0 ? 0x100U : 7U; });
  check_lanes("MOV R1, 0x7\nEXIT !P1\n", [](unsigned lane) { return lane % 2 == 0 ? 0x100U : 7U; });
  check_lanes(
      "BSSY B0, join\nMOV R1, 0x1\n@P0 BREAK P1, B0\n@P0 BRA P1, store\nIADD3 R1, R1, 0x1, RZ\njoin: BSYNC B0\n",
      [](unsigned lane) { return lane >= 8 && lane % 2 != 0 ? 1U : 2U; });
  check_lanes(
      "MOV R1, 0x1\n@P0 CALL.REL.NOINC P1, f\nIADD3 R1, R1, 0x1, RZ\nBRA store\nf: MOV R1, 0x20\nRET.REL.NODEC P1\n"
      "BRA bad\n",
      [](unsigned lane) { return lane >= 8 && lane % 2 != 0 ? 0x21U : 2U; });
}

TEST_CASE("a label may be called as a predicate") {
  check_lanes("MOV R1, 0x3\nBRA P1\nMOV R1, 0x4\nP1:\n", [](unsigned) { return 3U; });
}

TEST_CASE("BRA.DIV is taken where a lane of the mask is elsewhere, BRA.CONV where none is") {
  check_lanes(
      "BRA.DIV ~URZ, bad\n@P0 BRA apart\nBRA.DIV ~URZ, diverged\nBRA bad\ndiverged: MOV R1, 0x6\nBRA store\n"
      "apart: BRA.CONV ~URZ, bad\nMOV R1, 0x7\n",
      [](unsigned lane) { return lane < 8 ? 6U : 7U; });
  check_lanes("@P0 EXIT\nBRA.DIV ~URZ, bad\nMOV R1, 0x1\nBRA.CONV ~URZ, store\nBRA bad\n",
              [](unsigned lane) { return lane < 8 ? 1U : 0x100U; });
  check_lanes("BRA.DIV bad\nMOV R1, 0x1\n", [](unsigned) { return 1U; });
  check_lanes("@P0 BRA bad\nUMOV UR4, 0xff\nBRA.DIV UR4, bad\nMOV R1, 0x1\n",
              [](unsigned lane) { return lane < 8 ? 1U : 0x63U; });
  // A lane whose guard is false is not here; all go.
  check_lanes("UMOV UR4, 0xff\n@!P0 BRA.DIV UR4, bad\n@P0 BRA.DIV UR4, go\nBRA bad\ngo: MOV R1, 0x1\n",
              [](unsigned) { return 1U; });
}

/// A function that adds 100, called from 0x30.
std::string call_text(const std::string& return_address) {
  return fmt::format(
      ".kernel k\n.param out ptr\n"
      "/*0000*/ S2R R0, SR_LANEID ;\n/*0010*/ MOV R20, {} ;\n/*0020*/ MOV R21, 0x0 ;\n"
      "/*0030*/ CALL.REL.NOINC 0x80 ;\n/*0040*/ IMAD.WIDE.U32 R4, R0, 0x4, c[out] ;\n"
      "after: /*0050*/ STG.E [R4.64], R1 ;\n/*0060*/ EXIT ;\n/*0070*/ NOP ;\n"
      "/*0080*/ IADD3 R1, R0, 0x64, RZ ;\n/*0090*/ RET.REL.NODEC R20 0x0 ;\n",
      return_address);
}

TEST_CASE("return addresses count in bytes where the text has addresses") {
  for (const Divergence divergence : kBoth) {
    GlobalMemory memory;
    const Buffer& out = memory.allocate("out", 32 * 4);
    const auto run_of = [&](const std::string& address) {
      test::KernelRun run;
      run.text = call_text(address);
      run.params = {out.address()};
      run.divergence = divergence;
      return run;
    };
    CHECK(test::fault_of(run_of("0x40"), memory).empty());
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint32_t word = 0;
      std::memcpy(&word, out.bytes().data() + 4 * std::size_t{lane}, sizeof word);
      CHECK(word == 100 + lane);
    }
    CHECK_THAT(test::fault_of(run_of("0x50"), memory),
               Catch::Contains("returns to 0x50 in lane 0, which was called from before 0x40"));
    CHECK_THAT(test::fault_of(run_of("32@lo((k + after@srel))"), memory),
               Catch::Contains("called from before 0x40"));
  }
}

TEST_CASE("BRA.ANY takes all lanes with it if one jumps") {
  const auto one = [](unsigned) { return 1U; };
  const auto two = [](unsigned) { return 2U; };
  check_lanes("MOV R1, 0x1\n@P1 BRA.U.ANY store\nMOV R1, 0x2\n", one);
  check_lanes("MOV R1, 0x1\n@P0 BRA.ANY P1, store\nMOV R1, 0x2\n", one);
  check_lanes("MOV R1, 0x1\n@!PT BRA.U.ANY store\nMOV R1, 0x2\n", two);
}

}  // namespace
}  // namespace heddle::exec
