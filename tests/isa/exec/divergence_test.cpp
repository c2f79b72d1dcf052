// Kernels under the SIMT stack and under convergence barriers: the same results and, where control flow is structured,
// the same steps. What only one of them can run is told by the other.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

struct Outcome {
  FunctionalCounts counts;
  std::vector<std::uint32_t> words;  ///< The buffer that is the kernel's one parameter.
};

Outcome run(const std::string& text, Divergence divergence, Dim3 block = {32, 1, 1}) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 4096);
  Outcome outcome;
  outcome.counts = run_kernel({text, {1, 1, 1}, block, 32, {out.address()}, 0, divergence}, memory);
  const auto words = out.as<std::uint32_t>();
  outcome.words.assign(words.begin(), words.end());
  return outcome;
}

std::string fault(const std::string& text, Divergence divergence, Dim3 block = {32, 1, 1}) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 4096);
  return fault_of({text, {1, 1, 1}, block, 32, {out.address()}, 0, divergence}, memory);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Each lane stores R1 at its place in the buffer. Takes R10, R12 and R13.
constexpr const char* kStore = R"(
    S2R R10, SR_TID.X
    IMAD.WIDE.U32 R12, R10, 0x4, c[out]
    STG.E [R12.64], R1
    EXIT
)";

const auto kBoth = {Divergence::Stack, Divergence::Barriers};

TEST_CASE("a switch issues each of its paths once and then goes on with all lanes") {
  // 2 + 1 instructions of each path, however many lanes take it.
  for (const unsigned paths : {1U, 2U, 5U, 16U, 32U}) {
    std::string text = fmt::format(R"(
.kernel switch
.param out ptr
    S2R R0, SR_LANEID
    IMAD R2, R0, {}, RZ
    SHF.R.U32.HI R2, RZ, 0x5, R2
    IMAD R3, R2, 0x3, RZ
    IADD3 R3, R3, 0x6, RZ
    BRX R3
)",
                                   paths);
    for (unsigned path = 0; path < paths; ++path) {
      text += fmt::format("path{}:\n MOV R1, {}\n IADD3 R1, R1, R0, RZ\n BRA join\n", path, 1000 * path);
    }
    text += "join:\n";
    for (const Divergence divergence : kBoth) {
      const Outcome outcome = run(text + kStore, divergence);
      CAPTURE(paths, static_cast<int>(divergence));
      CHECK(outcome.counts.warp_instructions == 6 + 3 * paths + 4);
      CHECK(outcome.counts.thread_instructions == 32 * (6 + 3 + 4));
      for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == 1000 * (lane * paths / 32) + lane);
    }
  }
}

TEST_CASE(
    "all lanes of a switch come to the barrier where BSSY has them meet though there are labels behind it") {
  const std::string text = R"(
.kernel switch
.param out ptr
    S2R R0, SR_LANEID
    BSSY B0, join
    SHF.R.U32.HI R2, RZ, 0x4, R0
    IMAD R3, R2, 0x2, RZ
    IADD3 R3, R3, 0x6, RZ
    BRX R3
low:
    MOV R1, 0x1
    BRA join
high:
    MOV R1, 0x2
join:
    BSYNC B0
    BAR.SYNC 0x0
    MOV R4, 0x3
again:
    IADD3 R1, R1, 0x10, RZ
    IADD3 R4, R4, -0x1, RZ
    ISETP.NE.AND P0, PT, R4, RZ, PT
@P0 BRA again
)";
  for (const Divergence divergence : kBoth) {
    const Outcome outcome = run(text + kStore, divergence);
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == 0x30 + 1 + lane / 16);
    // Both paths come to BSYNC; on the stack they have met by then.
    const unsigned syncs = divergence == Divergence::Barriers ? 2 : 1;
    CHECK(outcome.counts.warp_instructions == 6 + 2 + 1 + syncs + 2 + 3 * 4 + 4);
  }
}

/// Lane i goes round i + 1 times, in three ways to say where lanes meet behind the loop.
std::string loop_kernel(const std::string& before, const std::string& leave, const std::string& behind) {
  return R"(
.kernel loop
.param out ptr
    S2R R0, SR_LANEID
    MOV R1, RZ
)" + before + R"(
top:
    IADD3 R1, R1, 0x1, RZ
    ISETP.GT.AND P0, PT, R1, R0, PT
)" + leave + R"(
@P0 BRA done
    BRA top
done:
)" + behind + kStore;
}

TEST_CASE("BSSY and BSYNC bring lanes together that leave a loop one by one, as do implicit barriers") {
  const std::string implicit = loop_kernel("", "", "");
  const std::string named = loop_kernel("BSSY B0, done\n", "", "BSYNC B0\n");
  for (const Divergence divergence : kBoth) {
    const Outcome plain = run(implicit, divergence);
    const Outcome with_names = run(named, divergence);
    CAPTURE(static_cast<int>(divergence));
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(plain.words[lane] == lane + 1);
    CHECK(with_names.words == plain.words);
    // 32 rounds of 3 or 4 instructions, then the store together.
    CHECK(plain.counts.warp_instructions == 2 + 31 * 4 + 3 + 4);
    // Under barriers BSYNC issues for every lane's path by itself; under the stack all have met before it.
    const unsigned syncs = divergence == Divergence::Stack ? 1 : 32;
    CHECK(with_names.counts.warp_instructions == plain.counts.warp_instructions + 1 + syncs);
  }
}

TEST_CASE("lanes that BREAK out of a barrier are not waited for") {
  // Without the BREAK every lane would come to the BSYNC one by one and wait.
  const std::string text = loop_kernel("BSSY B0, done\n", "@P0 BREAK B0\n", "BSYNC B0\n");
  const Outcome broken = run(text, Divergence::Barriers);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(broken.words[lane] == lane + 1);
  // Each lane runs to its end alone: BSYNC and four instructions.
  CHECK(broken.counts.warp_instructions == 2 + 1 + 31 * 5 + 4 + 32 * 5);
  CHECK(run(text, Divergence::Stack).words == broken.words);
  // The predicate may be an operand, negated, or stand beside a guard.
  for (const char* leave : {"BREAK P0, B0\n", "@P0 BREAK P0, B0\n", "@P0 BREAK PT, B0\n"}) {
    const Outcome outcome = run(loop_kernel("BSSY B0, done\n", leave, "BSYNC B0\n"), Divergence::Barriers);
    CHECK(outcome.words == broken.words);
    CHECK(outcome.counts.warp_instructions == broken.counts.warp_instructions);
  }
  // Where no lane leaves, as without BREAK: 31 more to each lane's BSYNC, and one store.
  const Outcome none = run(loop_kernel("BSSY B0, done\n", "@P0 BREAK !P0, B0\n", "BSYNC B0\n"), Divergence::Barriers);
  CHECK(none.counts.warp_instructions == 2 + 1 + 31 * 5 + 4 + 32 + 4);
}

TEST_CASE("a return by register goes behind the call, which the register must name") {
  const auto text = [](const char* place) {
    return fmt::format(".kernel k\n.param out ptr\nS2R R0, SR_LANEID\nMOV R4, R0\nMOV R20, {}\nMOV R21, RZ\n"
                       "CALL.REL.NOINC f\nback:\nIADD3 R1, R4, 0x1, RZ\nelsewhere:\n{}\nf:\nIADD3 R4, R4, R0, RZ\n"
                       "RET.REL.NODEC R20 0x0\n",
                       place, kStore);
  };
  for (const Divergence divergence : kBoth) {
    const Outcome outcome = run(text("back"), divergence);
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == 2 * lane + 1);
    CHECK(contains(fault(text("elsewhere"), divergence),
                   "returns to instruction 6 in lane 0, which was called from before instruction 5"));
  }
}

TEST_CASE("a call that only jumps is returned past to the one whose place the register names") {
  const std::string text = std::string(".kernel k\n.param out ptr\nS2R R0, SR_LANEID\nMOV R4, R0\nMOV R20, back\n"
                                       "MOV R21, RZ\nCALL.REL.NOINC f\nback:\nIADD3 R1, R4, 0x1, RZ\n") +
                           kStore + "f:\nIADD3 R4, R4, R0, RZ\nCALL.REL.NOINC g\nEXIT\ng:\nCALL.REL.NOINC h\nEXIT\n"
                                    "h:\nIADD3 R4, R4, R0, RZ\nRET.REL.NODEC R20 0x0\n";
  for (const Divergence divergence : kBoth) {
    const Outcome outcome = run(text, divergence);
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == 3 * lane + 1);
  }
}

TEST_CASE("lanes that call together return together, and nested calls find their way back") {
  // f: R1 = 3 * R1 + 1 for even lanes, g(g(R1)) for odd ones; g: R1 = 2 * R1.
  const std::string text = std::string(R"(
.kernel calls
.param out ptr
    S2R R0, SR_LANEID
    IADD3 R1, R0, 0x1, RZ
    LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT
    ISETP.EQ.AND P0, PT, R2, RZ, PT
    CALL.REL.NOINC f
    IADD3 R1, R1, 0x64, RZ
)") + kStore + R"(
f:
@!P0 BRA odd
    IMAD R1, R1, 0x3, RZ
    IADD3 R1, R1, 0x1, RZ
    RET.REL.NODEC
odd:
    CALL g
    CALL g
    RET
g:
    IADD3 R1, R1, R1, RZ
    RET
)";
  for (const Divergence divergence : kBoth) {
    const Outcome outcome = run(text, divergence);
    CAPTURE(static_cast<int>(divergence));
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned value = lane % 2 == 0 ? 3 * (lane + 1) + 1 : 4 * (lane + 1);
      CHECK(outcome.words[lane] == value + 100);
    }
    // The even lanes' path has 3 instructions, the odd lanes' 3 and twice 2.
    CHECK(outcome.counts.warp_instructions == 5 + 1 + 3 + 7 + 1 + 4);
  }
}

/// Lane i calls itself i times and adds up 1 to i on the way back, in a register that each level keeps in memory.
constexpr const char* kRecursion = R"(
.kernel recursion
.param out ptr
.shared frames 16384
    S2R R0, SR_LANEID
    IMAD R4, R0, 0x4, RZ
    MOV R2, R0
    MOV R1, RZ
    CALL sum
    S2R R10, SR_TID.X
    IMAD.WIDE.U32 R12, R10, 0x4, c[out]
    STG.E [R12.64], R1
    EXIT
sum:
    ISETP.EQ.AND P0, PT, R2, RZ, PT
@P0 RET
    STS [R4], R2
    IADD3 R4, R4, 0x80, RZ
    IADD3 R2, R2, -0x1, RZ
    CALL sum
    IADD3 R4, R4, -0x80, RZ
    LDS R2, [R4]
    IADD3 R1, R1, R2, RZ
    RET
)";

TEST_CASE("each lane calls itself as deep as it likes") {
  for (const Divergence divergence : kBoth) {
    const Outcome outcome = run(kRecursion, divergence);
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == lane * (lane + 1) / 2);
  }
}

TEST_CASE("calls without end, returns from no call and jumps to nowhere are told") {
  for (const Divergence divergence : kBoth) {
    CHECK(contains(fault(".kernel k\n.param out ptr\nf:\nCALL f\nEXIT\n", divergence),
                   "instruction 0 (CALL f, test.sass:4), block (0,0,0), warp 0: more than 256 calls within one "
                   "another in lane 0"));
    CHECK(contains(fault(".kernel k\n.param out ptr\nRET\n", divergence), "returns from no call in lane 0"));
    for (const char* target : {"1", "3", "0xffffffff"}) {
      const std::string text = fmt::format(".kernel k\n.param out ptr\nMOV R0, {}\nBRX R0\nend:\nEXIT\n", target);
      CHECK(contains(fault(text, divergence), "where there is no label"));
    }
    CHECK(fault(".kernel k\n.param out ptr\nMOV R0, end\nBRX R0\nend:\nEXIT\n", divergence).empty());
  }
}

// -- lanes that wait for lanes --------------------------------------------------------------------

/// Each lane waits for its turn, adds its number to a sum and gives the turn to the next lane.
constexpr const char* kTurns = R"(
.kernel turns
.param out ptr
.shared turn 16
.shared sum 16
    S2R R0, SR_LANEID
wait:
    LDS R2, [turn]
    ISETP.NE.AND P0, PT, R2, R0, PT
@P0 BRA wait
    LDS R1, [sum]
    IADD3 R1, R1, R0, RZ
    STS [sum], R1
    IADD3 R2, R2, 0x1, RZ
    STS [turn], R2
    S2R R10, SR_TID.X
    IMAD.WIDE.U32 R12, R10, 0x4, c[out]
    STG.E [R12.64], R1
    EXIT
)";

TEST_CASE("a lock that lanes of one warp pass on is got by each of them under barriers") {
  const Outcome outcome = run(kTurns, Divergence::Barriers);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == lane * (lane + 1) / 2);
}

TEST_CASE("a lock that lanes of one warp pass on is told to be a deadlock under the stack") {
  const std::string message = fault(kTurns, Divergence::Stack);
  CHECK(contains(message,
                 "lanes 0xfffffffe of 0xffffffff: deadlock: these lanes have gone round here again and again "
                 "without any change"));
  CHECK(contains(message, "lanes 0x1 wait at instruction 4 (LDS R1, [RZ+0x10]) for lanes 0xfffffffe"));
}

/// Lane 0 waits for what lane 1 stores, behind a branch on which lane 0 goes first.
constexpr const char* kFlag = R"(
.kernel flag
.param out ptr
.shared flag 16
    S2R R0, SR_LANEID
    MOV R1, 0x5
    ISETP.NE.AND P0, PT, R0, RZ, PT
@P0 BRA others
wait:
    LDS R1, [flag]
    {}
    ISETP.EQ.AND P1, PT, R1, RZ, PT
@P1 BRA wait
    BRA join
others:
    ISETP.EQ.AND P1, PT, R0, 0x1, PT
    MOV R2, 0x7
@P1 STS [flag], R2
join:
)";

TEST_CASE("a lane can wait for what another one stores on the other path, with YIELD or without") {
  const std::string_view body = kFlag;
  const std::size_t place = body.find("{}");
  for (const char* instruction : {"NOP", "YIELD"}) {
    const std::string text = fmt::format("{}{}{}", body.substr(0, place), instruction, body.substr(place + 2));
    const Outcome outcome = run(text + kStore, Divergence::Barriers);
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == (lane == 0 ? 7 : 5));
    CHECK(contains(fault(text + kStore, Divergence::Stack), "lanes 0x1 of 0xffffffff: deadlock: these lanes have gone round here"));
  }
}

TEST_CASE("lanes that wait at each other's barriers are told who waits for whom") {
  const std::string text = R"(
.kernel knot
.param out ptr
    S2R R0, SR_LANEID
    BSSY B0, end
    BSSY B1, end
    ISETP.LT.AND P0, PT, R0, 0x4, PT
@P0 BRA few
    BSYNC B0
    BRA end
few:
    BSYNC B1
end:
    EXIT
)";
  CHECK(fault(text, Divergence::Stack).empty());
  const std::string message = fault(text, Divergence::Barriers);
  CHECK(contains(message, "deadlock between lanes of the warp"));
  CHECK(contains(message, "lanes 0xfffffff0 wait at instruction 5 (BSYNC B0) for lanes 0xf"));
  CHECK(contains(message, "lanes 0xf wait at instruction 7 (BSYNC B1) for lanes 0xfffffff0"));
}

TEST_CASE("a block barrier waits for the lanes of a warp that come to it late") {
  // In warp 0, lane 0 waits for warp 1's word in a loop, while the others go on to the barrier.
  const std::string text = std::string(R"(
.kernel late
.param out ptr
.shared flag 16
    S2R R0, SR_TID.X
    MOV R1, 0x1
    ISETP.NE.AND P0, PT, R0, 0x20, PT
    MOV R2, 0x9
@!P0 STS [flag], R2
    BAR.SYNC 0x0
    ISETP.NE.AND P0, PT, R0, RZ, PT
@P0 BRA meet
wait:
    LDS R1, [flag]
    ISETP.EQ.AND P1, PT, R1, RZ, PT
@P1 BRA wait
meet:
    BAR.SYNC 0x0
)") + kStore;
  for (const Divergence divergence : kBoth) {
    const Outcome outcome = run(text, divergence, {64, 1, 1});
    for (unsigned thread = 0; thread < 64; ++thread) CHECK(outcome.words[thread] == (thread == 0 ? 9 : 1));
  }
}

TEST_CASE("under barriers lanes on different paths reach one block barrier as the warp they are") {
  // The branch's lanes meet behind their barriers only; the barrier holds the early ones.
  const std::string text = std::string(R"(
.kernel apart
.param out ptr
    S2R R0, SR_LANEID
    MOV R1, R0
    BSSY B0, end
    ISETP.LT.AND P0, PT, R0, 0x4, PT
@P0 BRA sync
    IADD3 R1, R1, 0x64, RZ
sync:
    BAR.SYNC 0x0
end:
    BSYNC B0
)") + kStore;
  // The few are held at the barrier until the others are there too.
  const Outcome outcome = run(text, Divergence::Barriers);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(outcome.words[lane] == (lane < 4 ? lane : lane + 100));
  CHECK(outcome.counts.warp_instructions == 5 + 1 + 1 + 1 + 4);
}

TEST_CASE("WARPSYNC brings the lanes of a mask together, and only them") {
  const std::string text = std::string(R"(
.kernel groups
.param out ptr
    S2R R0, SR_LANEID
    MOV R1, 0xffff
    ISETP.GE.AND P0, PT, R0, 0x10, PT
@P0 MOV R1, 0xffff0000
    BSSY B0, sync
    LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT
    ISETP.EQ.AND P0, PT, R2, RZ, PT
@P0 BRA sync
    NOP
sync:
    WARPSYNC R1
)") + kStore;
  const Outcome together = run(text, Divergence::Stack);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(together.words[lane] == (lane < 16 ? 0xffff : 0xffff0000));
  CHECK(contains(fault(".kernel k\n.param out ptr\nWARPSYNC 0xfffe\nEXIT\n", Divergence::Barriers),
                 "lane 0 is not in the mask 0xfffe that it synchronises"));
  // Odd and even lanes come by two paths, and leave as one.
  std::string all = text;
  all.replace(all.find("WARPSYNC R1"), 11, "WARPSYNC 0xffffffff");
  CHECK(run(all, Divergence::Barriers).counts.warp_instructions == 8 + 1 + 2 + 4);
}

}  // namespace
}  // namespace heddle::exec
