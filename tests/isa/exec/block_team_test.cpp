// Blocks on several threads: memory, faults and counts are those of blocks one after another, whatever the
// kernel does.
#include "isa/exec/block_team.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
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

/// A warp's access to 32 words of the buffer from `first` on.
struct Row {
  Row(const Buffer& buffer, unsigned first) : buffer_(buffer) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses_[lane] = buffer.address() + 4 * (first + lane);
  }
  void read(Transaction& by) const {
    by.read(~0U, addresses_.data(), span(), 4, buffer_.bytes().data(), buffer_.address());
  }
  void write(Transaction& by, std::uint32_t value) const {
    by.write(~0U, addresses_.data(), span(), 4, buffer_);
    for (const Addr address : addresses_)
      buffer_.as<std::uint32_t>()[(address - buffer_.address()) / 4] = value;
  }
  [[nodiscard]] LaneSpan span() const { return {addresses_.front(), addresses_.back(), true}; }

  const Buffer& buffer_;
  std::array<Addr, 32> addresses_;
};

TEST_CASE("transactions come into conflict by words, and what they have written is undone") {
  GlobalMemory memory;
  const Buffer& buffer = memory.allocate("words", 4096);
  const auto words = buffer.as<std::uint32_t>();
  std::fill(words.begin(), words.end(), 5U);
  WordOwners owners;
  std::vector<std::unique_ptr<Transaction>> all;
  for (unsigned worker = 0; worker < 2; ++worker)
    all.push_back(std::make_unique<Transaction>(owners, worker));
  Transaction& a = *all[0];
  Transaction& b = *all[1];
  const auto begin = [&] {
    owners.begin_round();
    for (const auto& each : all) each->begin_round();
  };
  const auto conflict = [&] { return a.conflicts_with(all) || b.conflicts_with(all); };
  const auto is_refused = [](const auto& access) {
    try {
      access();
    } catch (const TransactionConflict&) {
      return true;
    }
    return false;
  };
  // More rounds than their numbers have bits for.
  for (int round = 0; round < 70'000; round += round < 300 ? 1 : 997) {
    begin();
    Row(buffer, 0).write(a, 6);
    Row(buffer, 0).write(a, 7);  // its own
    Row(buffer, 0).read(a);
    Row(buffer, 32).write(b, 8);
    Row(buffer, 64).read(a);
    Row(buffer, 64).read(b);
    REQUIRE_FALSE(conflict());
    a.roll_back();
    b.roll_back();
    REQUIRE(std::ranges::count(words, 5U) == 1024);
  }
  // Lines in common, words apart: 16 to 47 and 48 to 79.
  begin();
  Row(buffer, 16).write(a, 6);
  Row(buffer, 48).write(b, 7);
  Row(buffer, 80).read(a);
  CHECK_FALSE(conflict());
  // A word read before and after another has written it.
  Row(buffer, 79).read(a);
  CHECK(conflict());
  // One in common: nothing of another's is overwritten.
  CHECK(is_refused([&] { Row(buffer, 47).write(b, 8); }));
  CHECK(words[47] == 6);
  b.roll_back();
  a.roll_back();
  CHECK(std::ranges::count(words, 5U) == 1024);
  // Memory of the host's own.
  std::vector<std::uint32_t> own(64);
  Buffer* adopted = memory.adopt("own", std::as_writable_bytes(std::span(own)));
  begin();
  CHECK(is_refused([&] { Row(*adopted, 0).write(a, 1); }));
}

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
  agrees(
      "S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD.WIDE.U32 R4, R1, 0x4, c[out]\n"
      "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 EXIT\nLDG.E R6, [R4.64]\nIMAD R6, R6, 0x3, R1\n"
      "STG.E [R4.64+0x4], R6\nEXIT\n");
}

TEST_CASE("all blocks write one word, in the end the last one") {
  agrees("S2R R1, SR_CTAID.X\nIMAD.WIDE.U32 R4, RZ, 0x4, c[out]\nSTG.E [R4.64+0x40], R1\nEXIT\n");
}

TEST_CASE("a block reads what a later one overwrites") {
  agrees(std::string(kOwn) + "LDG.E R6, [R4.64+0x100]\nIADD3 R6, R6, 0x1, RZ\nSTG.E [R4.64], R6\nEXIT\n");
}

TEST_CASE("the fault is that of the first block that has one, and what came before it is there") {
  // From block 40 on, beyond the buffer.
  agrees(std::string(kOwn) +
         "ISETP.GE.AND P0, PT, R1, 0x28, PT\n@P0 LDG.E R6, [R4.64+0x100000]\n"
         "IADD3 R6, R0, 0x1, RZ\nSTG.E [R4.64], R6\nEXIT\n");
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
  agrees(body + "RED.E.ADD [R8.64+0x7ff0], R7\nLDG.E R6, [R8.64+0x7ff0]\nSTG.E [R4.64], R6\nEXIT\n");
  // Many atomics are better done at once.
  agrees(std::string(kOwn) + "RED.E.ADD [R4.64], R1\nEXIT\n");
}

TEST_CASE("bytes of one word that two blocks write, and a launch of one block") {
  agrees(
      "S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD.WIDE.U32 R4, R1, 0x1, c[out]\n"
      "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 EXIT\nSTG.E.U8 [R4.64+0x80], R1\nEXIT\n");
  CHECK(outcome_of(std::string(kOwn) + "STG.E [R4.64], R1\nEXIT\n", 2, 1).counts.warp_instructions == 12);
}

}  // namespace
}  // namespace heddle::exec
