// Blocks on several threads: memory, faults and counts are those of blocks one after another, whatever the
// kernel does.
#include "isa/exec/block_team.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr std::uint32_t kBlocks = 96;
constexpr std::uint32_t kWords = 8192;

struct Outcome {
  std::vector<std::uint32_t> memory;
  FunctionalCounts counts;
  std::string fault;
  bool is_alone = false;
};

/// Of a kernel with the parameter `out`, where word i holds i. `threads`: 0 is run_functionally().
Outcome outcome_of(const std::string& body, unsigned threads, std::uint32_t blocks = kBlocks) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", kWords * 4);
  const auto words = out.as<std::uint32_t>();
  for (std::uint32_t i = 0; i < kWords; ++i) words[i] = i;
  const auto kernel = make_kernel(
      {".kernel k\n.param out ptr\n" + body, {blocks, 1, 1}, {64, 1, 1}, 32, {out.address()}}, memory);
  Outcome outcome;
  ThreadTeam team(std::max(threads, 1U));
  BlockTeam blocks_of(team, {0, 1000});  // several rounds, from the first block on
  try {
    outcome.counts = threads == 0 ? run_functionally(*kernel) : blocks_of.run(*kernel);
  } catch (const stream::KernelFault& fault) {
    outcome.fault = fault.what();
  }
  outcome.is_alone = blocks_of.runs_alone("k");
  outcome.memory.assign(words.begin(), words.end());
  return outcome;
}

/// Holds all numbers of threads against one block after another. Whether blocks came into conflict, or had
/// too many atomics.
bool agrees(const std::string& body) {
  const Outcome expected = outcome_of(body, 0);
  bool is_alone = false;
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    CAPTURE(threads);
    const Outcome found = outcome_of(body, threads);
    CHECK(found.memory == expected.memory);
    CHECK(found.fault == expected.fault);
    if (expected.fault.empty()) CHECK(found.counts.warp_instructions == expected.counts.warp_instructions);
    if (expected.fault.empty())
      CHECK(found.counts.thread_instructions == expected.counts.thread_instructions);
    is_alone |= found.is_alone;
  }
  return is_alone;
}

// R4: the address of the thread's own word, R0 its number in the launch, R1 its block.
constexpr const char* kOwn = R"(
    S2R R2, SR_TID.X
    S2R R1, SR_CTAID.X
    IMAD R0, R1, 0x40, R2
    IMAD.WIDE.U32 R4, R0, 0x4, c[out]
)";

TEST_CASE("blocks that have nothing to do with each other run side by side, in place too") {
  CHECK_FALSE(
      agrees(std::string(kOwn) + "LDG.E R6, [R4.64]\nIMAD R6, R6, 0x5, R0\nSTG.E [R4.64], R6\nEXIT\n"));
  // What a block has written it reads again.
  CHECK_FALSE(
      agrees(std::string(kOwn) +
             "STG.E [R4.64], R1\nLDG.E R6, [R4.64]\nIADD3 R6, R6, R0, RZ\n"
             "STG.E [R4.64], R6\nLDG.E R7, [R4.64]\nIADD3 R7, R7, R6, RZ\nSTG.E [R4.64], R7\nEXIT\n"));
  // Each reads everything that nobody writes.
  CHECK_FALSE(agrees(std::string(kOwn) +
                     "IMAD.WIDE.U32 R8, RZ, 0x4, c[out]\nLDG.E R6, [R8.64+0x7000]\n"
                     "LDG.E R7, [R8.64+0x7ffc]\nIADD3 R6, R6, R7, RZ\nSTG.E [R4.64], R6\nEXIT\n"));
}

TEST_CASE("blocks whose words lie side by side in one line do not disturb each other") {
  // A word a block, from one thread; the others leave.
  CHECK_FALSE(
      agrees("S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD.WIDE.U32 R4, R1, 0x4, c[out]\n"
             "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 EXIT\nLDG.E R6, [R4.64]\nIMAD R6, R6, 0x3, R1\n"
             "STG.E [R4.64], R6\nEXIT\n"));
}

TEST_CASE("each block continues what the block before it has left") {
  CHECK(
      agrees("S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD.WIDE.U32 R4, R1, 0x4, c[out]\n"
             "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 EXIT\nLDG.E R6, [R4.64]\nIMAD R6, R6, 0x3, R1\n"
             "STG.E [R4.64+0x4], R6\nEXIT\n"));
}

TEST_CASE("all blocks write one word, in the end the last one") {
  CHECK(agrees("S2R R1, SR_CTAID.X\nIMAD.WIDE.U32 R4, RZ, 0x4, c[out]\nSTG.E [R4.64+0x40], R1\nEXIT\n"));
}

TEST_CASE("a block reads what a later one overwrites") {
  CHECK(agrees(std::string(kOwn) +
               "LDG.E R6, [R4.64+0x100]\nIADD3 R6, R6, 0x1, RZ\nSTG.E [R4.64], R6\nEXIT\n"));
}

TEST_CASE("the fault is that of the first block that has one, and what came before it is there") {
  // From block 40 on, beyond the buffer.
  CHECK(agrees(std::string(kOwn) + "ISETP.GE.AND P0, PT, R1, 0x28, PT\n@P0 LDG.E R6, [R4.64+0x100000]\n"
                                   "IADD3 R6, R0, 0x1, RZ\nSTG.E [R4.64], R6\nEXIT\n"));
}

TEST_CASE("sums of floats by atomics that return nothing are rounded as one block after another") {
  // Many other instructions, so that the atomics are few.
  std::string body = std::string(kOwn) + "I2F R6, R0\nFMUL R6, R6, 1.2345\n";
  for (int i = 0; i < 120; ++i) body += "FFMA R6, R6, 1.0001, R6\n";
  body += "IMAD.WIDE.U32 R8, RZ, 0x4, c[out]\nRED.E.ADD.F32.FTZ.RN [R8.64], R6\nEXIT\n";
  CHECK_FALSE(agrees(body));
}

TEST_CASE("what atomics return, and sums that are read, are those of one block after another") {
  agrees(std::string(kOwn) +
         "IMAD.WIDE.U32 R8, RZ, 0x4, c[out]\nATOMG.E.ADD PT, R6, [R8.64+0x7ff0], R1\n"
         "STG.E [R4.64], R6\nEXIT\n");
  std::string body = std::string(kOwn) + "IMAD.WIDE.U32 R8, RZ, 0x4, c[out]\nMOV R7, 0x1\n";
  for (int i = 0; i < 120; ++i) body += "IADD3 R7, R7, R0, RZ\n";
  CHECK(agrees(body + "RED.E.ADD [R8.64+0x7ff0], R7\nLDG.E R6, [R8.64+0x7ff0]\nSTG.E [R4.64], R6\nEXIT\n"));
  // Many atomics are better done at once.
  CHECK(agrees(std::string(kOwn) + "RED.E.ADD [R4.64], R1\nEXIT\n"));
}

TEST_CASE("bytes of one word that two blocks write, and a launch of one block") {
  CHECK(
      agrees("S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD.WIDE.U32 R4, R1, 0x1, c[out]\n"
             "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 EXIT\nSTG.E.U8 [R4.64+0x80], R1\nEXIT\n"));
  CHECK(outcome_of(std::string(kOwn) + "STG.E [R4.64], R1\nEXIT\n", 2, 1).counts.warp_instructions == 12);
}

}  // namespace
}  // namespace heddle::exec
