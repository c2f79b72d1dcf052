// At which branches of a written trace lanes part: told by the lines around them, as a line has no guard.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tests/support/both_modes.h"
#include "tests/support/written_trace.h"

namespace heddle::test {
namespace {

struct Branches {
  std::uint64_t all = 0;
  std::uint64_t divergent = 0;

  friend bool operator==(const Branches&, const Branches&) = default;
};

/// The branches of a warp whose trace has these lines.
Branches branches_of(std::string_view lines) {
  const sim::GpuSpec spec = sim::load_gpu("tiny");
  trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 32}),
                                                            fmt::format("block 0,0,0\nwarp 0\n{}", lines)));
  const sim::RunResult result = test::run_by_instruction(kernel, spec);
  CHECK(broken_laws(result, spec) == std::vector<std::string>{});
  return {result.total.branches, result.total.divergent_branches};
}

TEST_CASE("lanes part at a branch that not all lanes of the lines straight before it take") {
  const char* text =
      "0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
      "0010 {} 0 BRA 0 0 0\n"
      "{}";
  const auto branches = [text](const char* mask, std::string_view rest) {
    return branches_of(fmt::format(fmt::runtime(text), mask, rest));
  };
  CHECK(branches("ffffffff", "0040 ffffffff 0 EXIT 0 0 0\n") == Branches{1, 0});
  CHECK(branches("00000000", "0020 ffffffff 0 EXIT 0 0 0\n") == Branches{1, 0});
  // Whichever part goes on first.
  CHECK(branches("0000ffff", "0020 ffff0000 0 EXIT 0 0 0\n0040 0000ffff 0 EXIT 0 0 0\n") == Branches{1, 1});
  CHECK(branches("0000ffff", "0040 0000ffff 0 EXIT 0 0 0\n0020 ffff0000 0 EXIT 0 0 0\n") == Branches{1, 1});
}

TEST_CASE("guarded lines before a branch hide none of its lanes, and lanes that have exited part no more") {
  CHECK(branches_of("0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                    "0010 0000000f 1 R3 MOV 1 R4 0 0\n"
                    "0020 00ffffff 0 BRA 0 0 0\n"
                    "0030 ff000000 0 EXIT 0 0 0\n"
                    "0080 00ffffff 0 EXIT 0 0 0\n") == Branches{1, 1});
  CHECK(branches_of("0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                    "0010 ff000000 0 EXIT 0 0 0\n"
                    "0020 00ffffff 0 BRA 0 0 0\n"
                    "0080 00ffffff 0 EXIT 0 0 0\n") == Branches{1, 0});
}

TEST_CASE(
    "a loop that lanes leave one after another has a divergent branch for each that leaves before the last") {
  // Lane i goes round i + 1 times, and the last one takes none along.
  std::string lines;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint32_t here = ~0U << lane;
    lines += fmt::format("0000 {:08x} 0 ISETP.GE.AND 1 R6 0 0\n", here);
    lines += fmt::format("0010 {:08x} 0 BRA 0 0 0\n", here & (here - 1));
    if (lane % 2 == 0)
      lines += fmt::format("0020 {:08x} 0 EXIT 0 0 0\n", 1U << lane);  // its turn comes at once
  }
  for (unsigned lane = 1; lane < 32; lane += 2)
    lines += fmt::format("0020 {:08x} 0 EXIT 0 0 0\n", 1U << lane);
  CHECK(branches_of(lines) == Branches{32, 31});
}

TEST_CASE("behind a place where lanes wait for one another go on all that came there") {
  const char* text =
      "0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
      "0010 0000ffff 0 BRA 0 0 0\n"
      "0020 ffff0000 0 {0} 0 0 0\n"
      "0080 0000ffff 1 R3 MOV 1 R4 0 0\n"
      "0090 0000ffff 0 BRA 0 0 0\n"
      "0020 0000ffff 0 {0} 0 0 0\n"
      "0030 {1} 0 BRA 0 0 0\n"
      "{2}";
  for (const char* wait : {"BSYNC", "WARPSYNC"}) {
    const auto branches = [&](const char* mask, std::string_view rest) {
      return branches_of(fmt::format(fmt::runtime(text), wait, mask, rest));
    };
    CHECK(branches("ffffffff", "0060 ffffffff 0 EXIT 0 0 0\n") == Branches{3, 1});
    CHECK(branches("00ff00ff", "0040 ff00ff00 0 EXIT 0 0 0\n0060 00ff00ff 0 EXIT 0 0 0\n") == Branches{3, 2});
  }
}

TEST_CASE("a branch that stands where another one leads is told by that one's lanes") {
  // The first one is taken by the lower half, of which a quarter takes the second.
  const char* text =
      "0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
      "0010 0000ffff 0 BRA 0 0 0\n"
      "0080 {} 0 BRA 0 0 0\n"
      "{}"
      "0020 {} 0 BRA 0 0 0\n"
      "{}";
  const auto branches = [text](const char* there, const char* rest_there, const char* behind,
                               const char* rest_behind) {
    return branches_of(fmt::format(fmt::runtime(text), there, rest_there, behind, rest_behind));
  };
  CHECK(branches("0000ffff", "00c0 0000ffff 0 EXIT 0 0 0\n", "ffff0000", "00c0 ffff0000 0 EXIT 0 0 0\n") ==
        Branches{3, 1});
  CHECK(branches("000000ff", "0090 0000ff00 0 EXIT 0 0 0\n00c0 000000ff 0 EXIT 0 0 0\n", "ffff0000",
                 "00c0 ffff0000 0 EXIT 0 0 0\n") == Branches{3, 2});
}

TEST_CASE("lanes that jumped are taken to be together only at once: a branch's operand may keep some back") {
  // BRA P1: all execute the first branch, of which the upper half goes on behind it.
  CHECK(branches_of("0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                    "0010 ffffffff 0 BRA 0 0 0\n"
                    "0080 0000ffff 1 R3 MOV 1 R4 0 0\n"
                    "0090 0000ffff 0 BRA 0 0 0\n"
                    "0020 ffff0000 0 BRA 0 0 0\n"
                    "00c0 ffffffff 0 EXIT 0 0 0\n") == Branches{3, 0});
}

TEST_CASE("a branch right behind one that no lane took is told by the same lines") {
  CHECK(branches_of("0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                    "0010 00000000 0 BRA 0 0 0\n"
                    "0020 000000ff 0 BRA 0 0 0\n"
                    "0030 ffffff00 0 EXIT 0 0 0\n"
                    "0060 000000ff 0 EXIT 0 0 0\n") == Branches{2, 1});
}

TEST_CASE("what other paths of the warp do between tells nothing of a path's branches") {
  // The upper half's turn comes in the middle of the lower one's.
  CHECK(branches_of("0000 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n"
                    "0010 0000ffff 0 BRA 0 0 0\n"
                    "0080 0000ffff 0 YIELD 0 0 0\n"
                    "0020 ffff0000 1 R3 MOV 1 R4 0 0\n"
                    "0030 ffff0000 0 BRA 0 0 0\n"
                    "0090 0000ffff 0 BRA 0 0 0\n"
                    "00c0 0000ffff 0 EXIT 0 0 0\n"
                    "00d0 ffff0000 0 EXIT 0 0 0\n") == Branches{3, 1});
}

}  // namespace
}  // namespace heddle::test
