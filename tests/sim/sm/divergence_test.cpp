// The two ways of divergence in time: what they do alike takes alike, and jumping over cycles changes nothing.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

/// A loop that lanes leave one by one, with a condition in it.
constexpr const char* kLoop = R"(
    S2R R0, SR_LANEID
    MOV R1, RZ
top:
    IADD3 R1, R1, 0x1, RZ
    LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT
    ISETP.EQ.AND P0, PT, R2, RZ, PT
@P0 BRA even
    IMAD R3, R1, R0, RZ
    BRA join
even:
    FADD R3, R1, R0
join:
    ISETP.LT.AND P1, PT, R1, R0, PT
@P1 BRA top
    BAR.SYNC 0x0
)";

/// Lanes pass on a turn: only barriers can run it.
constexpr const char* kTurns = R"(
    S2R R0, SR_LANEID
wait:
    LDS R2, [turn]
    ISETP.NE.AND P0, PT, R2, R0, PT
@P0 BRA wait
    IADD3 R2, R2, 0x1, RZ
    STS [turn], R2
)";

sim::GpuSpec gpu(const std::string& divergence) { return sim::load_gpu("tiny", {"sm.divergence=" + divergence}); }

TEST_CASE("structured control flow takes the same cycles under the stack and under implicit barriers") {
  for (const unsigned threads : {7U, 32U, 96U}) {
    TextKernel kernel(kLoop, {threads, 1, 1}, {3, 1, 1});
    const Timeline stack = kernel.run(gpu("stack"));
    const Timeline barriers = kernel.run(gpu("barrier"));
    CAPTURE(threads);
    CHECK(differences(stack.result, barriers.result).empty());
    CHECK(broken_laws(barriers.result, gpu("barrier")).empty());
  }
}

TEST_CASE("visiting every cycle gives the same figures under both ways of divergence") {
  const std::string divergence = GENERATE("stack", "barrier");
  TextKernel loop(kLoop, {64, 1, 1}, {4, 1, 1});
  const sim::GpuSpec spec = gpu(divergence);
  CHECK(differences(loop.run(spec, mode(false)).result, loop.run(spec, mode(true)).result).empty());
  if (divergence == "stack") return;
  TextKernel turns(kTurns, {20, 1, 1}, {2, 1, 1}, ".shared turn 16");
  const Timeline jumped = turns.run(spec, mode(false));
  CHECK(differences(jumped.result, turns.run(spec, mode(true)).result).empty());
  CHECK(broken_laws(jumped.result, spec).empty());
}

TEST_CASE("BSSY and BSYNC take a place in the branch pipe and nothing else") {
  // With one warp, nothing waits for their results: one cycle each.
  const std::string with = "NOP\nBSSY B0, end\nBSYNC B0\nend:\nNOP\n";
  TextKernel kernel(with, {32, 1, 1});
  TextKernel plain("NOP\nNOP\n", {32, 1, 1});
  for (const char* divergence : {"stack", "barrier"}) {
    CHECK(kernel.run(gpu(divergence)).result.cycles == plain.run(gpu(divergence)).result.cycles + 2);
  }
}

}  // namespace
}  // namespace heddle::test
