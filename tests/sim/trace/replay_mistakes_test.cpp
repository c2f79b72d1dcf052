// Lines that no warp can have executed: told with their place, before anything goes wrong.
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

TEST_CASE("only lanes that live execute") {
  const trace::TraceHeader header = written_header({.x = 40});
  const auto second = [&](const std::string& lines) {
    return mistake_of(header, fmt::format("block 0,0,0\nwarp 0\n{}warp 1\n{}", kExit, lines));
  };
  CHECK(second("0000 000000ff 0 EXIT 0 0\n").empty());
  CHECK_THAT(second("0000 0000000f 0 EXIT 0 0\n0010 000000ff 0 EXIT 0 0\n"),
             Catch::Contains("lane 0 executes, but it has exited"));
  CHECK_THAT(second("0000 000000ff 0 EXIT 0 0\n0010 00000000 0 NOP 0 0\n"),
             Catch::Contains("after all its lanes have exited"));
}

TEST_CASE("what has no result names no destination") {
  const auto line = [](const std::string& columns) {
    return mistake_of(written_header({.x = 32}),
                      fmt::format("block 0,0,0\nwarp 0\n0000 ffffffff {}\n0010 ffffffff 1 R5 FADD 2 R4 R4 0\n"
                                  "0020 ffffffff 0 EXIT 0 0\n",
                                  columns));
  };
  for (const char* opcode : {"ST.E", "STG.E.64", "STL", "STS", "SUST.P.BA"}) {
    CHECK_THAT(
        line(fmt::format("1 R4 {} 1 R2 4 1 0x1000 16", opcode)),
        Catch::Contains(fmt::format("written:3: error: {} has no result: the number of destinations must "
                                    "be 0, not 1",
                                    opcode)));
    CHECK(line(fmt::format("0 {} 2 R2 R4 4 1 0x1000 16", opcode)).empty());
  }
  for (const std::string opcode : {"MEMBAR.SC.GPU", "CCTL.IVALL"})
    CHECK_THAT(line(fmt::format("1 R4 {} 0 0", opcode)), Catch::Contains(opcode + " has no result"));
  // The tracer writes so where the first operand is a register, though it is read.
  for (const char* opcode : {"BAR.SYNC", "WARPSYNC", "BRX", "RET.REL.NODEC", "NANOSLEEP"})
    CHECK(line(fmt::format("1 R4 {} 0 0", opcode)).empty());
}

TEST_CASE("what is for memory as a whole has no addresses, whatever the trace says") {
  for (const char* opcode : {"MEMBAR.SC.GPU", "MEMBAR.SC.SYS", "MEMBAR.SC.CTA", "CCTL.IVALL"}) {
    INFO(opcode);
    const std::string body = fmt::format(
        "block 0,0,0\nwarp 0\n0000 ffffffff 0 {} 1 R2 4 1 0x1000 4\n0010 ffffffff 0 EXIT 0 0\n", opcode);
    trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 32}), body));
    const sim::MemoryCounters counters = simulate(kernel, sim::load_gpu("h100")).result.total.memory;
    CHECK(counters.global_load_requests + counters.global_store_requests + counters.global_atomic_requests ==
          0);
    CHECK(mistake_of(written_header({.x = 32}), body).empty());
  }
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
                        Catch::Contains("line 5 of written (EXIT), block 0,0,0, warp 0"));
}

}  // namespace
}  // namespace heddle::test
