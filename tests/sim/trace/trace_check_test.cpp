// What `heddle trace check` finds beyond what the reader does: all that a replay refuses.
#include "sim/trace/replay/trace_check.h"

#include <fmt/format.h>

#include "tests/sim/trace/small_traces.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"

namespace heddle::trace {
namespace {

using Mistakes = std::vector<std::string>;

const std::string kMove = "0000 ffffffff 1 R1 MOV 0 0 0 ";
const std::string kExit = "0100 ffffffff 0 EXIT 0 0 0 ";

Mistakes mistakes_of(const std::string& text) {
  const test::ScratchFolder folder;
  Mistakes list;
  check_trace(folder.write("t.traceg", text), [&](const Diagnostic& diagnostic) {
    list.push_back(fmt::format("{}: {}", diagnostic.where.line, diagnostic.message));
  });
  return list;
}

std::string with(std::string text, const std::string& part, const std::string& other) {
  return text.replace(text.find(part), part.size(), other);
}

/// The first line is line 24.
std::string of_lines(const std::vector<std::string>& lines) {
  return text_of({}) + block_text("0,0,0", warp_text(0, lines));
}

TEST_CASE("A trace that can be replayed has no mistake") {
  const test::ScratchFolder folder;
  Mistakes list;
  const TraceSize size =
      check_trace(folder.write("t.traceg", of_lines({kMove, kExit})),
                  [&](const Diagnostic& diagnostic) { list.push_back(diagnostic.message); });
  CHECK(list.empty());
  CHECK(size.blocks == 1);
  CHECK(size.lines == 2);
}

TEST_CASE("Lanes that go on when they have exited are found, in every warp") {
  CHECK(mistakes_of(of_lines({kExit, kMove, kMove})) ==
        Mistakes{"25: the warp goes on after all its lanes have exited"});
  CHECK(mistakes_of(of_lines({"0000 0000000f 0 EXIT 0 0 0 ", kMove, kMove, "0030 fffffff0 0 EXIT 0 0 0 "})) ==
        Mistakes{"25: lane 0 executes, but it has exited", "26: lane 0 executes, but it has exited"});
  const std::string two = warp_text(0, {kExit, kMove}) + warp_text(1, {kExit, kMove});
  CHECK(mistakes_of(text_of({.block = "(64,1,1)"}) + block_text("0,0,0", two)).size() == 2);
}

TEST_CASE("Every address that is none is found, and every destination of what has no result") {
  const std::string load = "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x01ffffffffffff84 4 0 ";
  const std::string store = "0010 ffffffff 1 R1 STG.E 1 R2 4 1 0x1000 4 0 ";
  CHECK(mistakes_of(of_lines({load, store, load, store, kExit})) ==
        Mistakes{"24: lane 31 names 0x200000000000000, but addresses end at 0x200000000000000",
                 "25: STG.E has no result: the number of destinations must be 0, not 1",
                 "26: lane 31 names 0x200000000000000, but addresses end at 0x200000000000000",
                 "27: STG.E has no result: the number of destinations must be 0, not 1"});
}

TEST_CASE("What follows from a mistake is not told as another one") {
  const std::string exits = "0000 0000000f 0 EXIT 0 x";  // which cannot be read
  CHECK(mistakes_of(of_lines({exits, kMove, kExit})) ==
        Mistakes{"24: 'x' stands where the width of the access in bytes, or 0 should be"});
  CHECK(mistakes_of(with(of_lines({kMove, kExit}), "(32,1,1)", "(0,1,1)")).size() == 1);
  CHECK(mistakes_of(with(of_lines({kMove, kExit}), "warp = 0", "warp = 9")) ==
        Mistakes{"23: there is no warp 9: a block of 32 threads has 1 warp",
                 "27: warp 0 of the block is missing: 32 threads are 1 warps"});
}

TEST_CASE("More registers than a thread can have are found in the head") {
  CHECK(mistakes_of(with(of_lines({kExit}), "-nregs = 16", "-nregs = 256")) ==
        Mistakes{"6: '-nregs' must be a number of registers, up to 255, not '256'"});
}

}  // namespace
}  // namespace heddle::trace
