// Named barriers of a block as far as they execute: who meets, what reductions find, and what is no program.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

/// R0 is threadIdx.x, R1 the number of the warp; R2 the address of the thread's word in the buffer.
constexpr const char* kHead = R"(
.kernel barriers
.param out ptr
.shared words 4096
    S2R R0, SR_TID.X
    SHF.R.U32.HI R1, RZ, 0x5, R0
    S2R R4, SR_CTAID.X
    IMAD R4, R4, c[blockDim.x], R0
    IMAD.WIDE.U32 R2, R4, 0x4, c[out]
)";

struct Outcome {
  std::vector<std::uint32_t> words;
  std::string fault;
};

Outcome run(const std::string& body, unsigned threads, unsigned blocks = 1,
            Divergence divergence = Divergence::Stack) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", std::uint64_t{4} * threads * blocks);
  const KernelRun launch{.text = kHead + body + "\nEXIT\n",
                         .grid = {blocks},
                         .block = {threads},
                         .params = {out.address()},
                         .divergence = divergence};
  Outcome outcome;
  outcome.fault = fault_of(launch, memory);
  const auto words = out.as<std::uint32_t>();
  outcome.words.assign(words.begin(), words.end());
  return outcome;
}

void check_fault(const std::string& body, unsigned threads, std::initializer_list<const char*> parts) {
  const std::string fault = run(body, threads).fault;
  INFO(body << "\n" << fault);
  for (const char* part : parts) {
    INFO(part);
    CHECK(fault.find(part) != std::string::npos);
  }
}

TEST_CASE("producers that arrive and consumers that wait hand data over through named barriers") {
  // Warps 0 and 1 write what warps 2 and 3 read, ten times; barrier 1 says full, barrier 2 says empty.
  const std::string body = R"(
    MOV R8, RZ
    MOV R9, RZ
    LOP3.LUT R5, R0, 0x3f, RZ, 0xc0, !PT
    SHF.L.U32 R5, R5, 0x2, RZ
    ISETP.GE.U32.AND P0, PT, R1, 0x2, PT
@P0 BRA consume
produce:
    IMAD R6, R8, 0x64, R0
    STS [R5], R6
    BAR.ARV 0x1, 0x80
    BAR.SYNC 0x2, 0x80
    IADD3 R8, R8, 0x1, RZ
    ISETP.LT.U32.AND P1, PT, R8, 0xa, PT
@P1 BRA produce
    STG.E [R2.64], R8
    EXIT
consume:
    BAR.SYNC 0x1, 0x80
    LDS R6, [R5]
    IADD3 R9, R9, R6, RZ
    BAR.ARV 0x2, 0x80
    IADD3 R8, R8, 0x1, RZ
    ISETP.LT.U32.AND P1, PT, R8, 0xa, PT
@P1 BRA consume
    STG.E [R2.64], R9)";
  for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
    const Outcome outcome = run(body, 128, 2, divergence);
    CHECK(outcome.fault == "");
    for (unsigned thread = 0; thread < 256; ++thread) {
      const unsigned in_block = thread % 128;
      // The sum over r = 0..9 of 100 r + the producer's thread.
      CHECK(outcome.words[thread] == (in_block < 64 ? 10 : 4500 + 10 * (in_block - 64)));
    }
  }
}

TEST_CASE("barriers and counts can be in registers") {
  // Warps 2k and 2k + 1 meet at barrier k + 4.
  const std::string body = R"(
    SHF.R.U32.HI R5, RZ, 0x1, R1
    IADD3 R5, R5, 0x4, RZ
    MOV R6, 0x40
    SHF.L.U32 R7, R0, 0x2, RZ
    STS [R7], R0
    BAR.SYNC.DEFER_BLOCKING R5, R6
    LOP3.LUT R7, R7, 0x80, RZ, 0x3c, !PT
    LDS R8, [R7]
    STG.E [R2.64], R8)";
  const Outcome outcome = run(body, 256);
  CHECK(outcome.fault == "");
  for (unsigned thread = 0; thread < 256; ++thread) CHECK(outcome.words[thread] == (thread ^ 32));
}

TEST_CASE("barrier reductions count the threads of all warps in which a predicate holds") {
  LaneValues values(20260);
  for (const unsigned threads : {32U, 45U, 64U, 128U, 200U, 1024U}) {
    for (unsigned round = 0; round < 8; ++round) {
      const std::uint32_t modulus = 1 + values.below(9);
      const std::uint32_t least = round < 2 ? round * 2000 : values.below(threads + 2);
      std::uint32_t count = 0;
      for (std::uint32_t t = 0; t < threads; ++t) count += t >= least && t % modulus == 0 ? 1 : 0;
      CAPTURE(threads, modulus, least);
      // P0: t >= least and t % modulus == 0, by way of floats: t - modulus * trunc(t / modulus).
      const std::string predicate = fmt::format(R"(
    MOV R10, {0:#x}
    I2F.U32 R11, R0
    I2F.U32 R12, R10
    MUFU.RCP R13, R12
    FMUL R13, R11, R13
    FADD R13, R13, 0.01
    F2I.U32.TRUNC R13, R13
    IMAD R13, R13, R10, RZ
    ISETP.EQ.U32.AND P0, PT, R13, R0, PT
    ISETP.GE.U32.AND P0, PT, R0, {1:#x}, P0)",
                                                modulus, least);
      const std::string store = "\n    STG.E [R2.64], R5";
      const Outcome popc =
          run(predicate + "\nBAR.RED.POPC.DEFER_BLOCKING 0x0, P0\nB2R.RESULT R5" + store, threads);
      const Outcome none = run(predicate + "\nBAR.RED.POPC 0x3, !P0\nB2R.RESULT R5" + store, threads);
      const std::string select = "\nB2R.RESULT RZ, P1\nMOV R6, 0x7\nSEL R5, R6, RZ, P1" + store;
      const Outcome all = run(predicate + "\nBAR.RED.AND.DEFER_BLOCKING 0x0, P0" + select, threads);
      const Outcome any = run(predicate + "\nBAR.RED.OR 0x0, P0" + select, threads);
      for (std::uint32_t t = 0; t < threads; ++t) {
        CHECK(popc.words[t] == count);
        CHECK(none.words[t] == threads - count);
        CHECK(all.words[t] == (count == threads ? 7 : 0));
        CHECK(any.words[t] == (count != 0 ? 7 : 0));
      }
    }
  }
}

TEST_CASE("each round of a barrier reduction has its own outcome") {
  // In round r, r = 0..19, the threads below 3 r hold. A warp may read the outcome when others are a round
  // ahead.
  const std::string body = R"(
    MOV R5, RZ
    MOV R9, RZ
again:
    IMAD R6, R5, 0x3, RZ
    ISETP.LT.U32.AND P0, PT, R0, R6, PT
    BAR.RED.POPC 0x0, P0
    B2R.RESULT R7
    IADD3 R9, R9, R7, RZ
    IADD3 R5, R5, 0x1, RZ
    ISETP.LT.U32.AND P1, PT, R5, 0x14, PT
@P1 BRA again
    STG.E [R2.64], R9)";
  const Outcome outcome = run(body, 96, 3);
  CHECK(outcome.fault == "");
  for (const std::uint32_t word : outcome.words) CHECK(word == 3 * 190);
}

TEST_CASE("pairs of warps reduce at one barrier, one pair after the other") {
  // Both pairs use barrier 1 with 64 threads, the second pair when the first is through, which barrier 2
  // tells.
  const std::string guarded = R"(
    ISETP.LT.U32.AND P0, PT, R0, 0x29, PT
    ISETP.GE.U32.AND P1, PT, R1, 0x2, PT
@P1 BAR.SYNC 0x2, 0x80
    BAR.RED.POPC 0x1, 0x40, P0
    B2R.RESULT R5
@!P1 BAR.ARV 0x2, 0x80
    STG.E [R2.64], R5)";
  const std::string branching = R"(
    ISETP.LT.U32.AND P0, PT, R0, 0x29, PT
    ISETP.GE.U32.AND P1, PT, R1, 0x2, PT
@P1 BRA second
    BAR.RED.POPC 0x1, 0x40, P0
    B2R.RESULT R5
    BAR.ARV 0x2, 0x80
    BRA out
second:
    BAR.SYNC 0x2, 0x80
    BAR.RED.POPC 0x1, 0x40, P0
    B2R.RESULT R5
out:
    STG.E [R2.64], R5)";
  for (const std::string& body : {guarded, branching}) {
    const Outcome outcome = run(body, 128);
    CHECK(outcome.fault == "");
    for (unsigned t = 0; t < 128; ++t) CHECK(outcome.words[t] == (t < 64 ? 41 : 0));
  }
}

TEST_CASE("what is wrong at a barrier is said") {
  check_fault("MOV R5, 0x10\nBAR.SYNC R5", 64,
              {"there is no barrier 16", "0 to 15", "BAR.SYNC R5", "warp 0"});
  check_fault("BAR.SYNC 0x1, 0x30", 64, {"48 threads", "multiple of the warp size, 32"});
  check_fault("BAR.SYNC 0x1, 0x60", 64, {"96 threads", "more than the block has"});
  check_fault("BAR.SYNC R0, 0x20", 32, {"lanes of the warp disagree", "0x0 in lane 0", "0x1 in lane 1"});
  check_fault("ISETP.LT.U32.AND P0, PT, R0, 0x5, PT\n@P0 BAR.ARV 0x0, 0x20", 32,
              {"divergent barrier", "0x1f"});
  check_fault("B2R.RESULT R5", 32, {"at none", "B2R.RESULT R5"});
}

constexpr const char* kTwoWays = R"(
    ISETP.GE.U32.AND P0, PT, R0, 0x20, PT
@P0 BRA other
    {}
    BRA out
other:
    {}
out:
    NOP)";

std::string two_ways(const char* first, const char* other) { return fmt::format(kTwoWays, first, other); }

TEST_CASE("warps that come to a barrier with different counts or kinds are told apart") {
  check_fault(two_ways("BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x1, 0x20"), 64,
              {"mismatched barrier 1", "2 warps", "1 warps", "instruction 7", "instruction 9"});
  check_fault(two_ways("BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x1"), 64,
              {"mismatched barrier 1", "2 warps", "all warps"});
  check_fault(two_ways("BAR.SYNC 0x1, 0x40", "BAR.RED.OR 0x1, 0x40, P0"), 64,
              {"mismatched barrier 1", "reduction"});
  check_fault(two_ways("BAR.SYNC 0x1", "BAR.SYNC 0x1"), 64, {"mismatched barrier 1", "instruction 9"});
  CHECK(run(two_ways("BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x1, 0x40"), 64).fault == "");
}

TEST_CASE("a barrier to which too few can come is a deadlock, and who waits where is said") {
  check_fault(two_ways("BAR.SYNC 0x1, 0x40", "NOP"), 64,
              {"deadlock", "waits at barrier 1 of instruction 7, to which 1 of 2 warps have come", "warp 0"});
  check_fault(
      two_ways("BAR.SYNC 0x1", "BAR.SYNC 0x2"), 64,
      {"barrier 1 of instruction 7, to which 1 of 2", "barrier 2 of instruction 9", "warp 0", "warp 1"});
}

}  // namespace
}  // namespace heddle::exec
