// Which blocks of a trace start when: those of the file, in its order.
#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tests/sim/trace/small_traces.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/sm_harness.h"

namespace heddle::trace {
namespace {

const std::string kExit = "0100 ffffffff 0 EXIT 0 0 0 ";

/// Blocks of a warp each, of x moves, and an EXIT.
std::string blocks(const std::vector<std::string>& places, const std::string& grid) {
  std::string text = text_of({.grid = grid});
  for (const std::string& place : places) {
    std::vector<std::string> lines(static_cast<std::size_t>(place[0] - '0'), "0000 ffffffff 1 R1 MOV 0 0 0 ");
    lines.push_back(kExit);
    text += block_text(place, warp_text(0, lines));
  }
  return text;
}

/// A trace on one SM.
class OneSm {
 public:
  explicit OneSm(const std::string& text, const ReplayOptions& options = {})
      : kernel_(open_trace(folder_.write("t.traceg", text)), options),
        source_(kernel_.make_warp_source(0, kWarps)) {}

  /// Where the block's warp stands then.
  std::string start(BlockId block) {
    const auto slot = static_cast<WarpSlot>(block % kWarps);
    const stream::StaticOp* first = nullptr;
    source_->start_block(block, {&slot, 1}, {&first, 1});
    return source_->describe(slot);
  }
  /// What is said instead; empty if nothing is wrong.
  std::string mistake_at(BlockId block) {
    try {
      start(block);
      return {};
    } catch (const InputError& error) {
      return to_text(error.list().front());
    }
  }

 private:
  static constexpr std::uint32_t kWarps = 4;

  test::ScratchFolder folder_;
  ReplayKernel kernel_;
  std::unique_ptr<stream::WarpSource> source_;
};

/// What the run ends in, or "" if it ends well.
std::string mistake_of(const std::string& text) {
  const test::ScratchFolder folder;
  try {
    ReplayKernel kernel(open_trace(folder.write("t.traceg", text)));
    test::simulate(kernel, sim::load_gpu("h100"));
    return {};
  } catch (const InputError& error) {
    return to_text(error.list().front());
  }
}

TEST_CASE("Blocks start in the order of the file, wherever in the grid they lie") {
  OneSm sm(blocks({"1,1,0", "0,0,0", "0,1,0", "1,0,0"}, "(2,2,1)"));
  CHECK_THAT(sm.start(0), Catch::EndsWith("(MOV), block 1,1,0, warp 0"));
  CHECK_THAT(sm.start(1), Catch::EndsWith("(EXIT), block 0,0,0, warp 0"));
  CHECK_THAT(sm.start(3), Catch::EndsWith("(MOV), block 1,0,0, warp 0"));
  CHECK_THAT(sm.start(2), Catch::EndsWith("(EXIT), block 0,1,0, warp 0"));
}

TEST_CASE("Blocks outside of a sample are passed over in the order of the file, too") {
  ReplayOptions options;
  options.wanted = [](BlockId block) { return block % 2 == 1; };
  OneSm sm(blocks({"1,1,0", "0,0,0", "0,1,0", "1,0,0"}, "(2,2,1)"), options);
  CHECK_THAT(sm.start(1), Catch::EndsWith("block 0,0,0, warp 0"));
  CHECK_THAT(sm.start(3), Catch::EndsWith("block 1,0,0, warp 0"));
}

TEST_CASE("A run of blocks in another order ends well, each block of the grid must be there, once") {
  CHECK(mistake_of(blocks({"0,0,0", "1,0,0", "0,1,0", "1,1,0"}, "(2,2,1)")).empty());
  CHECK(mistake_of(blocks({"1,1,0", "0,1,0", "1,0,0", "0,0,0"}, "(2,2,1)")).empty());
  CHECK_THAT(mistake_of(blocks({"0,0,0", "0,1,0", "1,1,0"}, "(2,2,1)")),
             Catch::Contains("block 1,0,0 is missing: there are 3 blocks of the 4"));
  CHECK_THAT(mistake_of(blocks({"1,0,0", "1,0,0"}, "(2,1,1)")), Catch::Contains("block 1,0,0 stands twice"));
  CHECK_THAT(mistake_of(blocks({"1,0,0", "2,0,0"}, "(2,1,1)")),
             Catch::Contains("block 2,0,0 is outside of the grid (2,1,1)"));
  CHECK_THAT(mistake_of(blocks({"1,0,0", "0,0,0", "0,0,0"}, "(2,1,1)")),
             Catch::Contains("block 0,0,0 stands twice"));
}

TEST_CASE("Warps of a block must be there, once each, and exit, in any order") {
  const auto of = [](const std::string& warps) {
    return mistake_of(text_of({.block = "(64,1,1)"}) + block_text("0,0,0", warps));
  };
  const std::string first = warp_text(0, {kExit});
  CHECK(of(warp_text(1, {kExit}) + first).empty());
  CHECK_THAT(of(first), Catch::Contains("warp 1 of the block is missing"));
  CHECK_THAT(of(first + first), Catch::Contains("warp 0 of the block stands twice"));
  CHECK_THAT(of(first + warp_text(2, {kExit})), Catch::Contains("there is no warp 2"));
  CHECK_THAT(of(first + warp_text(1, {})), Catch::Contains("threads ffffffff of warp 1 never exit"));
  CHECK_THAT(of(first + warp_text(1, {"0000 0000ffff 0 EXIT 0 0 0 "})),
             Catch::Contains("threads ffff0000 of warp 1 never exit"));
}

TEST_CASE("A warp with more lines than it says is told so, and not that it lacks its EXIT") {
  std::string text = one_warp({}, {"0000 ffffffff 1 R1 MOV 0 0 0 "});
  text.replace(text.find("insts = 2"), 9, "insts = 1");
  CHECK_THAT(mistake_of(text), Catch::Contains("warp 0 has more lines than the 1 that 'insts' says"));
}

TEST_CASE(
    "SMs that ask for blocks in another order hear of the same mistake, and of those before it get what they "
    "ask for") {
  std::string text = blocks({"0,0,0", "1,0,0", "2,0,0", "3,0,0"}, "(4,1,1)");
  const std::size_t second = text.find("warp = 0", text.find("thread block = 1"));
  OneSm sm(text.replace(second, 8, "warp = 1"));
  const std::string mistake = sm.mistake_at(2);  // one that lies behind the bad block
  CHECK_THAT(mistake, Catch::Contains("there is no warp 1: a block of 32 threads has 1 warp"));
  CHECK(sm.mistake_at(1) == mistake);
  CHECK(sm.mistake_at(3) == mistake);
  CHECK(sm.mistake_at(0).empty());
}

}  // namespace
}  // namespace heddle::trace
