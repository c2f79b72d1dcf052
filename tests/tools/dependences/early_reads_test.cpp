// Reads of values that are not there yet, in runs of kernels small enough to be followed by hand.
#include "tools/dependences/early_reads.h"

#include "isa/text/assemble.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::dependences {
namespace {

struct Checked {
  std::uint64_t reads;
  std::vector<EarlyRead> found;
};

/// On an A100: FADD takes 4 cycles, a predicate as a guard 13.
Checked check(const std::string& body) {
  const sim::GpuSpec spec = sim::load_gpu("a100");
  const sim::ClassTimings timings(spec.sm);
  const std::string directives = ".shared words 128";
  const ir::Kernel kernel =
      text::assemble(".kernel k\n" + directives + "\n" + body + "[B------:R-:W-:-:S05] EXIT\n", "k.sass")
          .front();
  EarlyReads reads(kernel, timings);
  test::TextKernel(body, {.x = 32}, {}, directives).run_heard(spec, {}, reads);
  return {reads.reads(), reads.found()};
}

TEST_CASE("a value that is read before its latency is over is reported, with how much too early") {
  const Checked checked = check(
      "[B------:R-:W-:-:S04] FADD R0, RZ, RZ\n[B------:R-:W-:-:S02] FADD R1, R0, R0\n"
      "[B------:R-:W-:-:S01] FADD R2, R0, R1\n");
  CHECK(checked.reads == 3);
  REQUIRE(checked.found.size() == 1);
  const EarlyRead& early = checked.found.front();
  CHECK(early.pc == 2);
  CHECK(early.producer == 1);
  CHECK(early.slot == ir::kFirstRegister + 1);
  CHECK(early.cycles == 2);
  CHECK(early.count == 1);
}

TEST_CASE("a guard is there later than an operand") {
  const std::string compare = "[B------:R-:W-:-:S05] ISETP.EQ.AND P0, PT, RZ, RZ, PT\n";
  CHECK(check(compare + "[B------:R-:W-:-:S01] SEL R0, RZ, RZ, P0\n").found.empty());
  const Checked checked = check(compare + "[B------:R-:W-:-:S01] @P0 FADD R0, RZ, RZ\n");
  REQUIRE(checked.found.size() == 1);
  CHECK(checked.found.front().cycles == 8);
}

TEST_CASE("a loaded value is there when its barrier has been waited for, or a later load's of its kind") {
  const std::string loads = "[B------:R-:W-:-:S01] LDS R0, [RZ]\n[B------:R-:W2:-:S02] LDS R1, [RZ]\n";
  CHECK(check(loads + "[B--2---:R-:W-:-:S01] FADD R2, R0, R1\n").found.empty());
  const Checked checked = check(loads + "[B---3--:R-:W-:-:S01] FADD R2, R0, R1\n");
  REQUIRE(checked.found.size() == 2);
  CHECK(checked.found.front().cycles == 0);
}

TEST_CASE("what other lanes have written is not there to be read") {
  CHECK(check("[B------:R-:W-:-:S05] MOV R0, RZ\n[B------:R-:W0:-:S02] S2R R3, SR_LANEID\n"
              "[B0-----:R-:W-:-:S13] ISETP.LT.AND P0, PT, R3, 0x4, PT\n"
              "[B------:R-:W-:-:S01] @P0 FADD R0, RZ, RZ\n[B------:R-:W-:-:S01] @!P0 FADD R1, R0, R0\n")
            .found.empty());
}

}  // namespace
}  // namespace heddle::dependences
