// Traces that are not what their head promises: told with their place, before anything goes wrong.
#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"
#include "tests/support/written_trace.h"

namespace heddle::test {
namespace {

constexpr const char* kExit = "0000 ffffffff 0 EXIT 0 0\n";

/// What the run ends in, or "" if it ends well.
std::string mistake_of(const trace::TraceHeader& header, const std::string& body) {
  try {
    trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(header, body));
    simulate(kernel, sim::load_gpu("h100"));
    return {};
  } catch (const InputError& error) {
    return to_text(error.list().front());
  }
}

std::string blocks(const std::vector<std::string>& ids) {
  std::string body;
  for (const std::string& id : ids) body += fmt::format("block {}\nwarp 0\n{}", id, kExit);
  return body;
}

TEST_CASE("blocks of a trace must be those of its grid, in the order of their index") {
  const trace::TraceHeader header = written_header({.x = 32}, {.x = 2, .y = 2});
  CHECK(mistake_of(header, blocks({"0,0,0", "1,0,0", "0,1,0", "1,1,0"})).empty());
  CHECK_THAT(mistake_of(header, blocks({"0,0,0", "0,1,0"})),
             Catch::Contains("written:4:") && Catch::Contains("0,1,0 where 1,0,0 should be"));
  CHECK_THAT(mistake_of(header, blocks({"0,0,0", "1,0,0", "0,1,0"})),
             Catch::Contains("written:9:") && Catch::Contains("ends after 3 of the 4 blocks"));
  CHECK_THAT(mistake_of(header, blocks({"0,0,0", "1,0,0", "0,1,0", "1,1,0", "2,1,0"})),
             Catch::Contains("goes on after the 4 blocks"));
}

TEST_CASE("warps of a block must be there, once each, and exit") {
  const trace::TraceHeader header = written_header({.x = 64});
  const auto warp = [](unsigned index, const char* lines) {
    return fmt::format("warp {}\n{}", index, lines);
  };
  const auto body = [](const std::string& warps) { return fmt::format("block 0,0,0\n{}", warps); };
  CHECK(mistake_of(header, body(warp(1, kExit) + warp(0, kExit))).empty());
  CHECK_THAT(mistake_of(header, body(warp(0, kExit))), Catch::Contains("block 0 ends without warp 1"));
  CHECK_THAT(mistake_of(header, body(warp(0, kExit) + warp(0, kExit))),
             Catch::Contains("warp 0 stands in the block twice"));
  CHECK_THAT(mistake_of(header, body(warp(0, kExit) + warp(2, kExit))),
             Catch::Contains("warp 2: the block has 64 threads, that is warps 0 to 1"));
  CHECK_THAT(mistake_of(header, body(warp(0, kExit) + warp(1, ""))),
             Catch::Contains("warp 1 has no instruction"));
  CHECK_THAT(mistake_of(header, body(warp(0, kExit) + warp(1, "0000 0000ffff 0 EXIT 0 0\n"))),
             Catch::Contains("warp 1 ends, but its lanes ffff0000 have not exited"));
}

TEST_CASE("only lanes that exist and live execute") {
  const trace::TraceHeader header = written_header({.x = 40});
  const auto second = [&](const std::string& lines) {
    return mistake_of(header, fmt::format("block 0,0,0\nwarp 0\n{}warp 1\n{}", kExit, lines));
  };
  CHECK(second("0000 000000ff 0 EXIT 0 0\n").empty());
  CHECK_THAT(second("0000 000001ff 0 NOP 0 0\n0010 000000ff 0 EXIT 0 0\n"),
             Catch::Contains("has lane 8, which the block has not"));
  CHECK_THAT(second("0000 0000000f 0 EXIT 0 0\n0010 000000ff 0 EXIT 0 0\n"),
             Catch::Contains("lane 0 executes, but it has exited"));
  CHECK_THAT(second("0000 000000ff 0 EXIT 0 0\n0010 00000000 0 NOP 0 0\n"),
             Catch::Contains("after all its lanes have exited"));
}

TEST_CASE("heads that make no launch are refused") {
  CHECK_THAT(mistake_of(written_header({.x = 0}), blocks({"0,0,0"})), Catch::Contains("no threads"));
  CHECK_THAT(mistake_of(written_header({.x = 32}, {.x = 0}), ""), Catch::Contains("no blocks"));
  CHECK_THAT(mistake_of(written_header({.x = 1025}), ""), Catch::Contains("1025 threads"));
}

TEST_CASE(
    "SMs that ask for blocks in another order hear of the same mistake, and of those before it get what they "
    "ask for") {
  const trace::TraceHeader header = written_header({.x = 32}, {.x = 4});
  const std::string bad = fmt::format("block 1,0,0\nwarp 1\n{}", kExit);
  const std::string body = blocks({"0,0,0"}) + bad + blocks({"2,0,0", "3,0,0"});
  trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(header, body));
  const auto source = kernel.make_warp_source(0, 4);
  const auto mistake_at = [&](BlockId block) -> std::string {
    const WarpSlot slot = static_cast<WarpSlot>(block);
    const stream::StaticOp* first = nullptr;
    try {
      source->start_block(block, {&slot, 1}, {&first, 1});
      return {};
    } catch (const InputError& error) {
      return to_text(error.list().front());
    }
  };
  const std::string mistake = mistake_at(2);  // one that lies behind the bad block
  CHECK_THAT(mistake, Catch::Contains("warp 1: the block has 32 threads"));
  CHECK(mistake_at(1) == mistake);
  CHECK(mistake_at(3) == mistake);
  CHECK(mistake_at(0).empty());
}

TEST_CASE("addresses that no GPU has are refused") {
  const auto load = [](const char* addresses) {
    return mistake_of(
        written_header({.x = 32}),
        fmt::format("block 0,0,0\nwarp 0\n0000 ffffffff 1 R1 LDG.E 1 R2 4 {}\n0010 ffffffff 0 EXIT 0 0\n",
                    addresses));
  };
  CHECK(load("1 0x01ffffffffffff80 4").empty());
  CHECK_THAT(load("1 0x0200000000000000 4"),
             Catch::Contains("lane 0 names 0x200000000000000, but addresses end at"));
  CHECK_THAT(load("1 0x01ffffffffffff84 4"), Catch::Contains("lane 31 names 0x200000000000000"));
  CHECK_THAT(load("1 0xffffffffffffff80 4"), Catch::Contains("lane 0 names 0xffffffffffffff80"));
}

TEST_CASE("a trace whose warps wait for ever says where they stand") {
  // Three warps are to meet, but there are two.
  const std::string lines =
      "0000 ffffffff 0 NOP 0 0\n0010 ffffffff 0 BAR.SYNC 0 0 1 {}\n0020 ffffffff 0 EXIT 0 0\n";
  const std::string body =
      fmt::format("block 0,0,0\nwarp 0\n{}warp 1\n{}warp 2\n{}", fmt::format(fmt::runtime(lines), 96),
                  fmt::format(fmt::runtime(lines), 96), kExit);
  trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 96}), body));
  std::string fault;
  try {
    simulate(kernel, sim::load_gpu("h100"));
  } catch (const stream::KernelFault& error) {
    fault = error.what();
  }
  CHECK_THAT(fault, Catch::Contains("deadlock by cycle") && !Catch::Contains("by cycle 0:") &&
                        Catch::Contains("line 5 of written (EXIT), block 0, warp 0"));
}

}  // namespace
}  // namespace heddle::test
