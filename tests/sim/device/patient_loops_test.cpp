// Warps that go round in loops for very long, and get on: never taken for a deadlock.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/faults.h"

namespace heddle::test {
namespace {

TEST_CASE("blocks that wait in a loop wait for as long as the one that they wait for sleeps") {
  sim::GpuSpec spec = sim::load_gpu("tiny");
  for (const unsigned naps : {1U, 10U}) {
    TextKernel kernel = waiting_blocks(naps, 4);
    const Cycle milliseconds = kernel.run(spec).result.cycles / static_cast<Cycle>(spec.clock_mhz * 1e3);
    CHECK(milliseconds == naps);
  }
}

TEST_CASE("blocks that hand a token to one another and count in memory end, however often they do") {
  TextKernel kernel(R"(
    LDC.64 R4, c[token]
    LDC.64 R6, c[left]
    S2R R0, SR_CTAID.X
    MOV R3, 0xffffffff
wait:
    LDG.E.STRONG.GPU R2, [R4.64]
    ISETP.NE.AND P0, PT, R2, R0, PT
@P0 BRA wait
    ATOMG.E.ADD.STRONG.GPU PT, R2, [R6.64], R3
    ISETP.LE.AND P1, PT, R2, RZ, PT
    IADD3 R2, -R0, 0x1, RZ
    STG.E.STRONG.GPU [R4.64], R2
@P1 EXIT
    BRA wait
)",
                    {.x = 1}, {.x = 2}, ".param token ptr\n.param left ptr");
  kernel.add_buffer("token", 4);
  kernel.add_buffer("left", 4).as<std::int32_t>()[0] = 25000;
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

TEST_CASE("a wait with a time limit by the clock ends at that") {
  TextKernel kernel(R"(
    LDC.64 R4, c[flag]
    S2R R6, SR_CLOCKLO
wait:
    S2R R2, SR_CLOCKLO
    IADD3 R2, R2, -R6, RZ
    ISETP.LT.U32.AND P0, PT, R2, 0x1e8480, PT
    LDG.E.STRONG.GPU R2, [R4.64]
    ISETP.EQ.AND P0, PT, R2, RZ, P0
@P0 BRA wait
)",
                    {.x = 32}, {.x = 3}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  CHECK(kernel.run(sim::load_gpu("tiny")).result.cycles > 2'000'000);
}

TEST_CASE("who sets a word for a moment and takes it back is heard in the end by who looks at other times") {
  // The one naps for 10 us in each round, as the other does, whose rounds are a little longer.
  TextKernel kernel(R"(
    S2R R0, SR_TID.X
    MOV R1, 0x1
    STS [cell], RZ
    STS [stop], RZ
    BAR.SYNC 0x0
    ISETP.GE.U32.AND P0, PT, R0, 0x20, PT
@P0 BRA late
speaker:
    STS [cell], R1
    STS [cell], RZ
    NANOSLEEP 0x2710
    LDS R2, [stop]
    ISETP.EQ.AND P1, PT, R2, RZ, PT
@P1 BRA speaker
    EXIT
late:
    NANOSLEEP 0x1388
listener:
    LDS R2, [cell]
    ISETP.EQ.AND P1, PT, R2, RZ, PT
    IADD3 R9, RZ, 0x1, RZ
    NANOSLEEP 0x2710
@P1 BRA listener
    STS [stop], R1
)",
                    {.x = 64}, {}, ".shared cell 16\n.shared stop 16");
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

/// f0 counts to 8 in a loop; each function above calls the one below it twice.
std::string call_tree(unsigned height) {
  std::string text = fmt::format("CALL.REL.NOINC f{}\nBRA out\n", height);
  for (unsigned i = height; i > 0; --i) {
    text += fmt::format("f{0}:\nCALL.REL.NOINC f{1}\nCALL.REL.NOINC f{1}\nRET\n", i, i - 1);
  }
  return text +
         "f0:\nMOV R4, RZ\nl:\nIADD3 R4, R4, 0x1, RZ\nISETP.LT.U32.AND P3, PT, R4, 0x8, PT\n@P3 BRA l\n"
         "RET\nout:\n";
}

TEST_CASE("a loop that many calls come to with the same registers is no deadlock") {
  TextKernel kernel(call_tree(14), {.x = 32});
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

/// Lanes 1 to 31 wait in a loop for lane 0, which does this first, and so for 30,000 rounds.
std::string lane_that_is_awaited(const std::string& first) {
  return "S2R R0, SR_TID.X\nISETP.EQ.U32.AND P1, PT, R0, RZ, PT\n@P1 BRA one\nmany:\nLDS R2, [flag]\n"
         "ISETP.EQ.U32.AND P2, PT, R2, RZ, PT\n@P2 BRA many\nBRA done\none:\n" +
         first + "\nMOV R5, 0x1\nSTS [flag], R5\ndone:\n";
}

TEST_CASE("lanes that wait for one of their warp are no deadlock while that one has its turns") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sm.divergence=barrier"});
  TextKernel yields(lane_that_is_awaited(repeat("YIELD", 30'000)), {.x = 32}, {}, ".shared flag 16");
  CHECK(fault_of(yields, spec) == "");
  // It waits for another warp first, and so the warp as a whole seems to spin; then its turns are long.
  TextKernel counts(two_ways(lane_that_is_awaited(R"(
waits:
    LDS R3, [flag+4]
    ISETP.EQ.U32.AND P2, PT, R3, RZ, PT
@P2 BRA waits
    LDC.64 R6, c[zeros]
    MOV R4, RZ
counts:
    LDG.E R9, [R6.64]
    IADD3 R4, R4, R9, RZ
    IADD3 R4, R4, 0x1, RZ
    ISETP.LT.U32.AND P3, PT, R4, 0xbb8, PT
@P3 BRA counts
)"),
                             R"(
    MOV R4, RZ
waits_too:
    IADD3 R4, R4, 0x1, RZ
    ISETP.LT.U32.AND P3, PT, R4, 0x1770, PT
@P3 BRA waits_too
    MOV R5, 0x1
    STS [flag+4], R5
)"),
                    {.x = 64}, {}, ".shared flag 16\n.param zeros ptr");
  counts.add_buffer("zeros", 4);
  CHECK(fault_of(counts, spec) == "");
}

TEST_CASE("what an atomic that is under way returns is part of what a warp holds") {
  // A chase by atomics that add nothing: whenever the loop jumps back, the registers hold the same.
  constexpr std::uint32_t kHops = 12'000;
  TextKernel kernel(R"(
    LDC.64 R8, c[base]
    MOV R4, RZ
    BRA start
hop:
    ISETP.EQ.AND P0, PT, R4, 0x1, PT
@P0 EXIT
start:
    IADD3 R2, P1, R8, R4, RZ
    IADD3.X R3, R9, RZ, RZ, P1, !PT
    MOV R4, RZ
    ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R4
    MOV R2, RZ
    BRA hop
)",
                    {.x = 1}, {}, ".param base ptr");
  const auto chain = kernel.add_buffer("base", 4 * kHops).as<std::uint32_t>();
  for (std::uint32_t i = 0; i < kHops; ++i) chain[i] = i + 1 == kHops ? 1 : 4 * (i + 1);
  for (const char* gpu : {"h100", "v100"}) CHECK(fault_of(kernel, sim::load_gpu(gpu)) == "");
}

TEST_CASE("lanes that another path would let go in the end are no deadlock") {
  // Lanes 8 to 15 wait where lanes 0 to 7, which poll, would meet them, until those have polled for long.
  TextKernel kernel(R"(
    S2R R0, SR_LANEID
    MOV R4, RZ
    ISETP.GE.AND P0, PT, R0, 0x10, PT
    ISETP.GE.AND P1, PT, R0, 0x8, PT
@P0 BRA other
@P1 BRA meet
wait:
    LDS R2, [flag]
    IADD3 R4, R4, 0x1, RZ
    ISETP.EQ.AND P2, PT, R4, 0x80c, PT
@P2 MOV R4, RZ
    ISETP.EQ.AND P3, PT, R2, RZ, PT
@P3 BRA wait
meet:
    MOV R2, 0x1
    STS [flag], R2
    EXIT
other:
    YIELD
    LDS R2, [flag]
    ISETP.EQ.AND P3, PT, R2, RZ, PT
@P3 BRA other
)",
                    {.x = 32}, {}, ".shared flag 4");
  CHECK(fault_of(kernel, sim::load_gpu("h100")) == "");
}

TEST_CASE("paths of a warp that tell one another something by a uniform register are no deadlock") {
  // Lanes 0 to 15 count in UR4 again and again; the others look up each count that they find, and end all at
  // one.
  TextKernel kernel(R"(
    S2R R0, SR_LANEID
    MOV R1, 0x28
    MOV R2, 0x1
    STS [R1+table], R2
    MOV R4, RZ
    MOV R9, RZ
    R2UR UR4, R9
    ISETP.GE.AND P0, PT, R0, 0x10, PT
@P0 BRA other
count:
    LDS R2, [stop]
    ISETP.NE.AND P3, PT, R2, RZ, PT
@P3 EXIT
    IADD3 R4, R4, 0x4, RZ
    ISETP.EQ.AND P2, PT, R4, 0x2034, PT
@P2 MOV R4, RZ
    R2UR UR4, R4
    BRA count
other:
    LDS R2, [R9+UR4+table]
    ISETP.EQ.AND P3, PT, R2, RZ, PT
    MOV R2, RZ
@P3 BRA other
    MOV R2, 0x1
    STS [stop], R2
)",
                    {.x = 32}, {}, ".shared stop 4\n.shared table 40000");
  CHECK(fault_of(kernel, sim::load_gpu("h100")) == "");
}

TEST_CASE("warps that pair up at a counting barrier with others each time are no deadlock") {
  // Warps 0 and 1 give true, warp 2 false; warp 0, which comes early every 100 rounds, ends all when it meets
  // warp 2.
  const std::string text = R"(
    S2R R0, SR_TID.X
    ISETP.EQ.AND P6, PT, R0, R0, PT
    SHF.R.U32.HI R0, RZ, 0x5, R0
    ISETP.EQ.AND P0, PT, R0, 0x1, PT
@P0 BRA one
    ISETP.EQ.AND P0, PT, R0, 0x2, PT
@P0 BRA two
    MOV R2, 0x64
zero:
    IADD3 R2, R2, -0x1, RZ
    ISETP.EQ.AND P1, PT, R2, RZ, PT
@P1 MOV R2, 0x64
@P1 BRA early
    MOV R3, 0x18
late:
    IADD3 R3, R3, -0x1, RZ
    ISETP.GT.AND P0, PT, R3, RZ, PT
@P0 BRA late
early:
    BAR.RED.POPC 0x1, 0x40, P6
    B2R.RESULT R4
    ISETP.EQ.AND P0, PT, R4, 0x20, PT
    MOV R4, RZ
@!P0 BRA zero
    MOV R0, 0x1
    STS [stop], R0
    EXIT
one:
    MOV R3, 0xc
mid:
    IADD3 R3, R3, -0x1, RZ
    ISETP.GT.AND P0, PT, R3, RZ, PT
@P0 BRA mid
    LDS R5, [stop]
    ISETP.NE.AND P0, PT, R5, RZ, PT
@P0 EXIT
    BAR.RED.POPC 0x1, 0x40, P6
    BRA one
two:
    MOV R3, c[far]
rest:
    IADD3 R3, R3, -0x1, RZ
    ISETP.GT.AND P0, PT, R3, RZ, PT
@P0 BRA rest
    LDS R5, [stop]
    ISETP.NE.AND P0, PT, R5, RZ, PT
@P0 EXIT
    BAR.RED.POPC 0x1, 0x40, !P6
    BRA two
)";
  unsigned ended = 0;
  for (const std::uint32_t far : {2001U, 2501U, 4003U}) {
    TextKernel kernel(text, {.x = 96}, {}, ".shared stop 4\n.param far u32");
    kernel.set("far", far);
    sim::RunOptions options;
    options.max_cycles = 10'000'000;
    const std::string message = fault_of(kernel, sim::load_gpu("h100"), options);
    INFO(message);
    CHECK(message.find("deadlock") == std::string::npos);
    ended += message.empty() ? 1 : 0;
  }
  CHECK(ended > 0);
}

TEST_CASE("lanes that poll and count give way to others, whatever their loop has in it") {
  for (const std::string& inside : {std::string("@P1 BRA less\nIADD3 R5, R5, R4, RZ\nless:"),
                                    std::string("CALL.REL.NOINC called"), std::string("WARPSYNC 0xffff")}) {
    INFO(inside);
    TextKernel kernel(
        "S2R R0, SR_LANEID\nMOV R4, RZ\nMOV R5, RZ\nISETP.GE.AND P0, PT, R0, 0x10, PT\n"
        "ISETP.GE.AND P1, PT, R0, 0x8, PT\n@P0 BRA set\nwait:\nIADD3 R4, R4, 0x1, RZ\n" +
            inside +
            "\nLDS R2, [flag]\nISETP.EQ.AND P2, PT, R2, RZ, PT\n@P2 BRA wait\nEXIT\n"
            "called:\nRET\nset:\nMOV R2, 0x1\nSTS [flag], R2",
        {.x = 32}, {}, ".shared flag 4");
    sim::RunOptions options;
    options.max_cycles = 20'000'000;
    CHECK(fault_of(kernel, sim::load_gpu("h100"), options) == "");
  }
}

TEST_CASE("warps that look for a flag at each barrier wait for the one that counts, however far") {
  TextKernel kernel(R"(
    LDC.64 R2, c[flag]
    S2R R0, SR_TID.X
    ISETP.LT.AND P0, PT, R0, 0x20, PT
    MOV R4, RZ
    MOV R6, 0x1
round:
    BAR.SYNC 0x0
@P0 IADD3 R4, R4, 0x1, RZ
    ISETP.EQ.AND P1, PT, R4, 0x7530, PT
@P1 STG.E.STRONG.GPU [R2.64], R6
    MOV R5, RZ
@!P0 LDG.E.STRONG.GPU R5, [R2.64]
@P1 MOV R5, R6
    ISETP.EQ.AND P2, PT, R5, RZ, PT
@P2 BRA round
)",
                    {.x = 96}, {}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  CHECK(fault_of(kernel, sim::load_gpu("h100")) == "");  // whose L2 lets warp 0 wait for the others mostly
}

}  // namespace
}  // namespace heddle::test
