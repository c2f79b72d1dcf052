// Which registers an instruction reads from their banks.
#include "isa/stream/register_reads.h"

#include <fmt/format.h>

#include "isa/text/assemble.h"
#include "tests/support/catch.h"

namespace heddle::stream {
namespace {

RegisterReads reads_of(const char* line) {
  return register_reads(
      text::assemble(fmt::format(".kernel k\n{}\nEXIT\n", line), "k.sass")[0].instructions[0]);
}

TEST_CASE("registers stand in the order of the operands, RZ where there is a number or a constant") {
  CHECK(reads_of("FFMA R1, R2, R3.reuse, R5") == RegisterReads{{2, 3, 5}, 0b010, true});
  CHECK(reads_of("FFMA R1, R2.reuse, 1.5, -R5.reuse") == RegisterReads{{2, 255, 5}, 0b101, true});
  CHECK(reads_of("FADD R1, |R3.reuse|, c[blockDim.x]") == RegisterReads{{3, 255, 255}, 0b001, true});
  CHECK(reads_of("ISETP.LT.AND P0, PT, R1, R2, PT") == RegisterReads{{1, 2, 255}, 0, true});
}

TEST_CASE("pairs, and what has no fixed latency, are not timed, nor is what reads no register") {
  for (const char* line :
       {"DFMA R0, R2, R4, R6", "IMAD.WIDE R0, R2, R3, R4", "MUFU.RCP R1, R3", "SHFL.IDX PT, R1, R2, R4, R6",
        "LDS R0, [R1]", "MOV R0, 1", "FADD R1, RZ, 2", "NOP"}) {
    INFO(line);
    CHECK(reads_of(line) == RegisterReads{});
  }
}

TEST_CASE("kept is what the next instruction reads in the same slot") {
  const RegisterReads reads = {{2, 3, 5}, 0, true, true};
  CHECK(kept_for(reads, reads_of("FFMA R1, R2, R3, R5")).kept == 0b111);
  CHECK(kept_for(reads, reads_of("FFMA R1, R3, R2, R5")).kept == 0b100);
  CHECK(kept_for(reads, reads_of("FADD R1, R4, R3")).kept == 0b010);
  CHECK(kept_for(reads, reads_of("LDS R1, [R2]")).kept == 0);
  CHECK(kept_for(reads, RegisterReads{}).kept == 0);
}

TEST_CASE("a kernel's registers lie in banks if it says so, or keeps one") {
  const auto is_banked = [](const char* body) {
    return text::assemble(fmt::format(".kernel k\n{}\nEXIT\n", body), "k.sass")[0].banked;
  };
  CHECK_FALSE(is_banked("FADD R0, R2, R4"));
  CHECK(is_banked(".banked\nFADD R0, R2, R4"));
  CHECK(is_banked("FADD R0, R2, R4.reuse"));
  // What has control codes was numbered by a compiler, even if no instruction keeps a register.
  CHECK(text::assemble(".kernel k\n[B------:R-:W-:-:S04] FADD R0, R2, R4\n[B------:R-:W-:-:S05] EXIT\n", "k.sass")[0]
            .banked);
}

}  // namespace
}  // namespace heddle::stream
