// Whole launches: which thread is where, barriers, counts.
#include "isa/exec/functional.h"

#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr const char* kWhoAmI = R"(
.kernel who
.param out ptr
    S2R R0, SR_TID.X
    S2R R1, SR_TID.Y
    S2R R2, SR_TID.Z
    S2R R3, SR_LANEID
    S2R R4, SR_CTAID.X
    S2R R5, SR_CTAID.Y
    S2R R6, SR_CTAID.Z
    IMAD R8, R6, c[gridDim.y], R5
    IMAD R8, R8, c[gridDim.x], R4         // linear block
    IMAD R8, R8, c[blockDim.z], R2
    IMAD R8, R8, c[blockDim.y], R1
    IMAD R8, R8, c[blockDim.x], R0        // linear thread of the launch
    MOV R7, R8
    IMAD.WIDE.U32 R10, R8, 0x20, c[out]
    STG.E.128 [R10.64], R0
    STG.E.128 [R10.64+0x10], R4
    EXIT
)";

/// What thread `t` of block `b`, both linear, should have written.
std::vector<std::uint32_t> who(const Dim3& block, const Dim3& grid, std::uint32_t t, std::uint32_t b,
                               unsigned warp_size) {
  return {t % block.x, t / block.x % block.y, t / (block.x * block.y), t % warp_size,
          b % grid.x,  b / grid.x % grid.y,   b / (grid.x * grid.y),   b * block.x * block.y * block.z + t};
}

TEST_CASE("warps are consecutive threads, x first, then y, then z, in every shape of block and grid") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const Dim3 block = GENERATE(Dim3{1, 1, 1}, Dim3{32, 1, 1}, Dim3{100, 1, 1}, Dim3{1, 77, 1}, Dim3{1, 1, 64},
                              Dim3{16, 16, 1}, Dim3{7, 5, 3}, Dim3{3, 11, 31}, Dim3{1024, 1, 1});
  const Dim3 grid = GENERATE(Dim3{1, 1, 1}, Dim3{5, 1, 1}, Dim3{2, 3, 4}, Dim3{1, 1, 3});
  CAPTURE(warp_size, block.x, block.y, block.z, grid.x, grid.y, grid.z);
  GlobalMemory memory;
  const auto threads = static_cast<std::uint32_t>(block.count());
  const auto blocks = static_cast<std::uint32_t>(grid.count());
  const Buffer& out = memory.allocate("out", std::uint64_t{32} * threads * blocks);
  const FunctionalCounts counts = run_kernel({kWhoAmI, grid, block, warp_size, {out.address()}}, memory);
  const auto words = out.as<std::uint32_t>();
  unsigned wrong = 0;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    for (std::uint32_t t = 0; t < threads; ++t) {
      const auto expected = who(block, grid, t, b, warp_size);
      const auto* found = words.data() + std::size_t{8} * (b * threads + t);
      wrong += std::equal(expected.begin(), expected.end(), found) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  constexpr std::uint64_t kInstructions = 17;
  CHECK(counts.warp_instructions == kInstructions * blocks * ((threads + warp_size - 1) / warp_size));
  CHECK(counts.thread_instructions == kInstructions * blocks * threads);
}

TEST_CASE("a special register read under a guard leaves the other lanes") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 256);
  run_kernel({R"(
.kernel some
.param out ptr
    S2R R0, SR_TID.X
    ISETP.LT.AND P0, PT, R0, 0x7, PT
    MOV R1, 0x63
@!P0 S2R R1, SR_TID.X
    IMAD.WIDE.U32 R2, R0, 0x4, c[out]
    STG.E [R2.64], R1
    EXIT
)",
              {1, 1, 1},
              {64, 1, 1},
              64,
              {out.address()}},
             memory);
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(out.as<std::uint32_t>()[i] == (i < 7 ? 99 : i));
}

TEST_CASE("instructions under a guard count the lanes whose guard holds") {
  GlobalMemory memory;
  const FunctionalCounts counts = run_kernel(
      {".kernel count\nS2R R0, SR_TID.X\nISETP.LT.AND P0, PT, R0, 0xa, PT\n@P0 NOP\n@!P0 EXIT\nNOP\nEXIT\n",
       {3, 1, 1},
       {40, 1, 1},
       32,
       {}},
      memory);
  // Warp 0 has 32 lanes, of which 10 stay; warp 1 has 8, which all leave at the guarded EXIT.
  CHECK(counts.warp_instructions == 3 * (6 + 4));
  CHECK(counts.thread_instructions == 3 * ((32 + 32 + 10 + 22 + 10 + 10) + (8 + 8 + 0 + 8)));
}

TEST_CASE("behind a barrier every warp sees what the others wrote before it, round after round") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint32_t threads = GENERATE(1U, 40U, 256U);
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", std::uint64_t{4} * threads);
  // Ten times, each thread takes its right neighbour's value: in the end thread i holds i + 10, going round.
  run_kernel({fmt::format(R"(
.kernel pass
.param out ptr
    S2R R0, SR_TID.X
    MOV R1, R0
    IADD3 R2, R0, 0x1, RZ
    ISETP.EQ.AND P0, PT, R2, c[blockDim.x], PT
    SEL R2, RZ, R2, P0
@!P0 NOP
    IMAD R3, R0, 0x4, RZ
    IMAD R4, R2, 0x4, RZ
    MOV R5, RZ
round:
    STS [R3], R1
    BAR.SYNC 0x0
    LDS R1, [R4]
    BAR.SYNC 0x0
    IADD3 R5, R5, 0x1, RZ
    ISETP.LT.AND P1, PT, R5, 0xa, PT
@P1 BRA round
    IMAD.WIDE.U32 R6, R0, 0x4, c[out]
    STG.E [R6.64], R1
    EXIT
)"),
              {2, 1, 1},
              {threads, 1, 1},
              warp_size,
              {out.address()},
              4 * threads},
             memory);
  for (std::uint32_t i = 0; i < threads; ++i) CHECK(out.as<std::uint32_t>()[i] == (i + 10) % threads);
}

TEST_CASE("a warp may wait in a loop for what another one of its block will write") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 4);
  // The first warp waits for the second one's flag.
  run_kernel({R"(
.kernel wait
.param out ptr
    S2R R0, SR_TID.X
    MOV R3, 0x7
    ISETP.GE.AND P0, PT, R0, 0x20, PT
@P0 STS [RZ], R3
@P0 EXIT
spin:
    LDS R1, [RZ]
    ISETP.EQ.AND P1, PT, R1, RZ, PT
@P1 BRA spin
    IMAD.WIDE.U32 R4, RZ, 0x4, c[out]
    STG.E [R4.64], R1
    EXIT
)",
              {1, 1, 1},
              {64, 1, 1},
              32,
              {out.address()},
              4},
             memory);
  CHECK(out.as<std::uint32_t>()[0] == 7);
}

TEST_CASE("a barrier waits neither for lanes nor for warps that have exited") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 4);
  run_kernel({R"(
.kernel survivors
.param out ptr
.shared cell 4
    S2R R0, SR_TID.X
    ISETP.GE.AND P0, PT, R0, 0x25, PT
@P0 EXIT
    ISETP.EQ.AND P1, PT, R0, 0x24, PT
    MOV R1, 0x7
@P1 STS [cell], R1
    BAR.SYNC 0x0
    ISETP.NE.AND P1, PT, R0, RZ, PT
@P1 EXIT
    LDS R2, [cell]
    LDC.64 R4, c[out]
    STG.E [R4.64], R2
    EXIT
)",
              {1, 1, 1},
              {128, 1, 1},
              32,
              {out.address()}},
             memory);
  CHECK(out.as<std::uint32_t>()[0] == 7);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a barrier that only some lanes of a warp reach is a fault") {
  GlobalMemory memory;
  const std::string branch = fault_of({R"(
.kernel divergent
    S2R R0, SR_TID.X
    ISETP.LT.AND P0, PT, R0, 0x24, PT
@P0 BRA skip
    BAR.SYNC 0x0
skip:
    EXIT
)",
                                       {2, 1, 1},
                                       {64, 1, 1},
                                       32,
                                       {}},
                                      memory);
  CAPTURE(branch);
  CHECK(has(branch, "kernel divergent: instruction 3 (BAR.SYNC 0x0, test.sass:6), block (0,0,0), warp 1"));
  CHECK(has(branch, "divergent barrier"));
  CHECK(has(branch, "0xfffffff0 of 0xffffffff"));

  const std::string guard = fault_of({".kernel guarded\nS2R R0, SR_TID.X\nISETP.LT.AND P0, PT, R0, 0x8, PT\n"
                                      "@P0 BAR.SYNC 0x0\nEXIT\n",
                                      {1, 1, 1},
                                      {32, 1, 1},
                                      32,
                                      {}},
                                     memory);
  CHECK(has(guard, "kernel guarded: instruction 2 (@P0 BAR.SYNC 0x0"));
  CHECK(has(guard, "divergent barrier"));
}

/// Warp 0's lane 0 waits for warp 1's flag, its other lanes for lane 0; what warp 1 does before, `work` says.
std::string flag_after(const std::string& work) {
  return R"(
.kernel flag
.param out ptr
.shared flag 16
    S2R R0, SR_TID.X
    STS [flag], RZ
    BAR.SYNC 0x0
    ISETP.GE.U32.AND P0, PT, R0, 0x20, PT
@P0 BRA other
    ISETP.NE.AND P1, PT, R0, RZ, PT
@P1 BRA join
wait:
    LDS R5, [flag]
    ISETP.EQ.AND P2, PT, R5, RZ, PT
@P2 BRA wait
join:
    BRA done
other:
)" + work +
         R"(
    MOV R5, 0x1
    STS [flag], R5
done:
    EXIT
)";
}

TEST_CASE("who waits in a loop waits as long as another warp works, however long that is") {
  for (const unsigned rounds : {1U, 1000U, 1'000'000U}) {
    INFO(rounds << " rounds of work");
    const std::string work = fmt::format(R"(
    MOV R8, {}
work:
    IADD3 R8, R8, -0x1, RZ
    ISETP.GT.AND P3, PT, R8, RZ, PT
@P3 BRA work
)",
                                         rounds);
    for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
      GlobalMemory memory;
      CHECK(fault_of({flag_after(work), {1, 1, 1}, {64, 1, 1}, 32, {0}, 0, divergence}, memory) == "");
    }
  }
}

TEST_CASE("two warps of a block hand a token to one another as often as they like") {
  const std::string text = R"(
.kernel token
.param n u64
.shared token 16
    S2R R0, SR_TID.X
    SHF.R.U32.HI R3, RZ, 0x5, R0          // my warp
    MOV R5, 0x1
    ISETP.EQ.AND P1, PT, R0, RZ, PT
@P1 STS [token], R5
    BAR.SYNC 0x0
    LDC R8, c[0x0][0x160]
    IADD3 R9, -R3, 0x1, RZ
wait:
    LDS R2, [token]
    ISETP.NE.AND P0, PT, R2, R3, PT
@P0 BRA wait
    STS [token], R9
    IADD3 R8, R8, -0x1, RZ
    ISETP.GT.AND P2, PT, R8, RZ, PT
@P2 BRA wait
    EXIT
)";
  for (const std::uint64_t n : {1U, 3U, 5U, 1000U}) {
    INFO(n);
    GlobalMemory memory;
    CHECK(fault_of({text, {1, 1, 1}, {64, 1, 1}, 32, {n}}, memory) == "");
  }
}

TEST_CASE("a loop that counts in local memory is no deadlock, whatever its registers hold") {
  GlobalMemory memory;
  CHECK(
      fault_of({".kernel k\n.param p u64\n.local 16\nMOV R1, RZ\nSTL [R1], RZ\nloop:\nLDL R2, [R1]\n"
                "IADD3 R2, R2, 0x1, RZ\nSTL [R1], R2\nISETP.LT.U32.AND P0, PT, R2, 0x100000, PT\nMOV R2, RZ\n"
                "@P0 BRA loop\nEXIT\n",
                {1, 1, 1},
                {32, 1, 1},
                32,
                {0}},
               memory) == "");
}

TEST_CASE("warps that all wait in loops are a deadlock, whether some lanes of them do or all") {
  const std::string others_flag = R"(
.shared other 16
    STS [other], RZ
await:
    LDS R6, [other]
    ISETP.EQ.AND P3, PT, R6, RZ, PT
@P3 BRA await
)";
  for (const Divergence divergence : {Divergence::Stack, Divergence::Barriers}) {
    GlobalMemory memory;
    const std::string two =
        fault_of({flag_after(others_flag), {1, 1, 1}, {64, 1, 1}, 32, {0}, 0, divergence}, memory);
    INFO(two);
    // Under barriers the other lanes have exited meanwhile.
    const char* who = divergence == Divergence::Stack
                          ? "lanes 0x1 of 0xffffffff: deadlock: these lanes have gone"
                          : "warp 0: deadlock: it has gone";
    CHECK(two.find(who) != std::string::npos);
    CHECK(two.find("2 warps spin; all others") != std::string::npos);
    const std::string branch = fault_of(
        {".kernel k\n.param out ptr\nhere: BRA here\nEXIT\n", {1, 1, 1}, {32, 1, 1}, 32, {0}, 0, divergence},
        memory);
    INFO(branch);
    CHECK(branch.find("instruction 0 (BRA here") != std::string::npos);
    CHECK(branch.find("block (0,0,0), warp 0: deadlock: it has gone round here again and again") !=
          std::string::npos);
    CHECK(branch.find("one warp spins") != std::string::npos);
  }
}

TEST_CASE("warps that meet at a barrier for a flag wait for the one that counts, and for ever if none does") {
  const auto text = [](const std::string& counter) {
    return R"(
.kernel rounds
.param n u64
.shared flag 16
    S2R R0, SR_TID.X
    ISETP.LT.AND P0, PT, R0, )" +
           counter + R"(, PT
    MOV R4, RZ
    MOV R6, 0x1
    STS [flag], RZ
round:
    BAR.SYNC 0x0
@P0 IADD3 R4, R4, 0x1, RZ
    ISETP.EQ.AND P1, PT, R4, 0x2710, PT
@P1 STS [flag], R6
@P0 BRA look
    MOV R7, 0x100                   // long enough for several turns
pause:
    IADD3 R7, R7, -0x1, RZ
    ISETP.GT.AND P3, PT, R7, RZ, PT
@P3 BRA pause
look:
    BAR.SYNC 0x1
    LDS R5, [flag]
    ISETP.EQ.AND P2, PT, R5, RZ, PT
@P2 BRA round
    EXIT
)";
  };
  GlobalMemory memory;
  CHECK(fault_of({text("0x20"), {1, 1, 1}, {96, 1, 1}, 32, {0}}, memory) == "");
  const std::string nobody = fault_of({text("RZ"), {1, 1, 1}, {96, 1, 1}, 32, {0}}, memory);
  INFO(nobody);
  CHECK(nobody.find("warp 0: deadlock: it has gone round here again and again") != std::string::npos);
  CHECK(nobody.find("3 warps spin") != std::string::npos);
}

TEST_CASE("both paths of a warp may wait for one another under convergence barriers, for ever") {
  const std::string text = R"(
.kernel knot
.param out ptr
.shared a 16
.shared b 16
    S2R R0, SR_LANEID
    STS [a], RZ
    STS [b], RZ
    ISETP.LT.AND P0, PT, R0, 0x4, PT
@P0 BRA few
many:
    LDS R1, [a]
    ISETP.EQ.AND P1, PT, R1, RZ, PT
@P1 BRA many
    STS [b], R0
    EXIT
few:
    LDS R1, [b]
    ISETP.EQ.AND P1, PT, R1, RZ, PT
@P1 BRA few
    STS [a], R0
    EXIT
)";
  GlobalMemory memory;
  const std::string message =
      fault_of({text, {1, 1, 1}, {32, 1, 1}, 32, {0}, 0, Divergence::Barriers}, memory);
  INFO(message);
  CHECK(message.find("deadlock: these lanes have gone round here again and again") != std::string::npos);
}

TEST_CASE("a loop that counts is no deadlock, but how many instructions a warp may issue can be limited") {
  // 1 + 3 rounds of 3 + 1 instructions: 11.
  const std::string text =
      ".kernel k\n.param out ptr\nMOV R0, 0x3\nloop:\nIADD3 R0, R0, -0x1, RZ\nISETP.NE.AND P0, PT, R0, RZ, "
      "PT\n"
      "@P0 BRA loop\nEXIT\n";
  GlobalMemory memory;
  const auto kernel = make_kernel({text, {2, 1, 1}, {64, 1, 1}, 32, {0}}, memory);
  const auto all = [](BlockId) { return true; };
  CHECK(run_functionally(*kernel, all, 11).warp_instructions == 44);
  CHECK_THROWS_WITH(run_functionally(*kernel, all, 10),
                    Catch::Contains("limit reached: a warp has issued 10 instructions") &&
                        Catch::Contains("instruction 4 (EXIT"));
}

}  // namespace
}  // namespace heddle::exec
