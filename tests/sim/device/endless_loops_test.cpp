// Warps that go round in loops and wait for what never comes: told to be deadlocks.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/faults.h"

namespace heddle::test {
namespace {

TEST_CASE("blocks that wait in a loop for one that does not fit beside them are a deadlock, on any threads") {
  const sim::GpuSpec spec = sim::load_gpu("tiny");
  const std::uint32_t fit = spec.sms * spec.occupancy.max_blocks;
  std::string first;
  for (const unsigned threads : {1U, 2U, 3U}) {
    TextKernel kernel = waiting_blocks(1, fit + 1);
    sim::RunOptions options;
    options.threads = threads;
    const std::string message = fault_of(kernel, spec, options);
    check_names(message,
                {"kernel test", "deadlock: it has gone round here again and again without any change",
                 "block (0,0,0), warp 0", "0 of ", "all others that have started have ended or wait"});
    if (first.empty()) first = message;
    CHECK(message == first);
  }
}

TEST_CASE("loops of long rounds are told to be a deadlock, too") {
  for (const std::string& pause :
       {std::string("NANOSLEEP 0x4e20"), std::string("MOV R6, 0x258\ninner:\nIADD3 R6, R6, -0x1, RZ\n"
                                                     "ISETP.GT.AND P1, PT, R6, RZ, PT\n@P1 BRA inner")}) {
    TextKernel kernel("LDC.64 R4, c[flag]\nwait:\n" + pause +
                          "\nLDG.E.STRONG.GPU R2, [R4.64]\nISETP.EQ.AND P0, PT, R2, RZ, PT\n@P0 BRA wait",
                      {.x = 32}, {}, ".param flag ptr");
    kernel.add_buffer("flag", 4);
    sim::RunOptions options;
    options.max_cycles = 1'000'000'000;
    check_names(fault_of(kernel, sim::load_gpu("tiny"), options), {"deadlock: it has gone round"});
  }
}

TEST_CASE("two paths of a warp that wait for a flag, and count in between, are a deadlock") {
  const auto path = [](const std::string& name) {
    return name + ":\nLDG.E.STRONG.GPU R2, [R4.64]\nMOV R6, 0x14\n" + name +
           "_pause:\nIADD3 R6, R6, -0x1, RZ\nISETP.GT.AND P1, PT, R6, RZ, PT\n@P1 BRA " + name +
           "_pause\nISETP.EQ.AND P1, PT, R2, RZ, PT\n@P1 BRA " + name + "\nEXIT\n";
  };
  TextKernel kernel("LDC.64 R4, c[flag]\nS2R R0, SR_LANEID\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA one\n" +
                        path("many") + path("one"),
                    {.x = 32}, {}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  sim::RunOptions options;
  options.max_cycles = 100'000'000;
  check_names(fault_of(kernel, sim::load_gpu("tiny", {"sm.divergence=barrier"}), options),
              {"deadlock: these lanes have gone round", "one warp spins"});
}

TEST_CASE("a loop by an indirect branch is told to be a deadlock, too") {
  TextKernel kernel("LDC.64 R4, c[flag]\nMOV R6, 0x2\nwait:\nLDG.E.STRONG.GPU R2, [R4.64]\nBRX R6", {.x = 32},
                    {}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  sim::RunOptions options;
  options.max_cycles = 1'000'000'000;
  check_names(fault_of(kernel, sim::load_gpu("tiny"), options),
              {"deadlock: it has gone round", "instruction 2 (LDG", "by cycle ", "one warp spins"});
}

TEST_CASE("loops that store what is there already, or reduce the same at a barrier, are a deadlock") {
  const std::string wait = "\nLDG.E.STRONG.GPU R2, [R4.64]\nISETP.EQ.AND P0, PT, R2, RZ, PT\n@P0 BRA wait";
  for (const std::string& body :
       {"STG.E.STRONG.GPU [R4.64+0x4], R6" + wait, "STS [word], R6" + wait, "STL [R7], R6" + wait,
        std::string("LDG.E.STRONG.GPU R2, [R4.64]\nISETP.NE.AND P0, PT, R2, RZ, PT\nBAR.RED.OR 0x0, P0\n"
                    "B2R.RESULT RZ, P1\n@!P1 BRA wait")}) {
    INFO(body);
    TextKernel kernel("LDC.64 R4, c[flag]\nMOV R6, 0x7\nMOV R7, RZ\nwait:\n" + body, {.x = 64}, {},
                      ".param flag ptr\n.shared word 16\n.local 16");
    kernel.add_buffer("flag", 8);
    sim::RunOptions options;
    options.max_cycles = 100'000'000;
    check_names(fault_of(kernel, sim::load_gpu("tiny"), options),
                {"deadlock: it has gone round", "2 warps spin"});
  }
}

TEST_CASE("a warp that comes to its last barrier while others spin waits there for ever: a deadlock") {
  // Warp 0 waits for a flag that block 1 sets, and sleeps a while before its barrier; nobody sets warp 1's
  // flag.
  TextKernel kernel(R"(
    LDC.64 R6, c[flags]
    S2R R0, SR_CTAID.X
    ISETP.NE.AND P0, PT, R0, RZ, PT
@P0 BRA setter
    S2R R0, SR_TID.X
    ISETP.GE.U32.AND P0, PT, R0, 0x20, PT
@P0 BRA one
zero:
    LDG.E.STRONG.GPU R2, [R6.64]
    ISETP.EQ.AND P2, PT, R2, RZ, PT
@P2 BRA zero
    NANOSLEEP 0x186a0
    BAR.SYNC 0x0
    EXIT
one:
    LDG.E.STRONG.GPU R2, [R6.64+0x4]
    ISETP.EQ.AND P2, PT, R2, RZ, PT
@P2 BRA one
    BAR.SYNC 0x0
    EXIT
setter:
    S2R R0, SR_TID.X
    ISETP.NE.AND P0, PT, R0, RZ, PT
@P0 EXIT
    NANOSLEEP 0xf4240
    NANOSLEEP 0xf4240
    MOV R2, 0x1
    STG.E.STRONG.GPU [R6.64], R2
)",
                    {.x = 64}, {.x = 2}, ".param flags ptr");
  kernel.add_buffer("flags", 8);
  sim::RunOptions options;
  options.max_cycles = 100'000'000;
  check_names(fault_of(kernel, sim::load_gpu("h100", {"sms=2"}), options),
              {"deadlock: it has gone round", "one warp spins"});
}

TEST_CASE("many paths of a warp that poll, and count again and again meanwhile, are a deadlock") {
  std::string text = "LDC.64 R6, c[flag]\nS2R R0, SR_LANEID\nMOV R4, RZ\n";
  const auto path = [](unsigned i) {
    return fmt::format(
        "p{0}:\nLDG.E.STRONG.GPU R2, [R6.64]\nIADD3 R4, R4, 0x1, RZ\nISETP.EQ.AND P1, PT, R4, 0xa, PT\n"
        "@P1 MOV R4, RZ\nISETP.NE.AND P2, PT, R2, RZ, PT\n@!P2 BRA p{0}\nEXIT\n",
        i);
  };
  for (unsigned i = 1; i < 8; ++i)
    text += fmt::format("ISETP.GE.AND P0, PT, R0, {:#x}, PT\n@!P0 BRA p{}\n", 4 * i, i);
  for (unsigned i = 8; i > 0; --i) text += path(i);
  TextKernel kernel(text, {.x = 32}, {}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  sim::RunOptions options;
  options.max_cycles = 200'000'000;
  check_names(fault_of(kernel, sim::load_gpu("h100", {"sms=2"}), options),
              {"deadlock: these lanes have gone round"});
}

TEST_CASE("a warp that spins where all others wait at a barrier is a deadlock") {
  TextKernel kernel(two_ways("BAR.SYNC 0x0", "here:\nBRA here"), {.x = 96});
  check_names(fault_of(kernel, sim::load_gpu("tiny")),
              {"deadlock: it has gone round", "warp 1", "2 warps spin"});
}

TEST_CASE("warps that meet at a barrier again and again for nothing are a deadlock") {
  TextKernel kernel(
      "LDC.64 R2, c[flag]\nround:\nBAR.SYNC 0x0\nLDG.E.STRONG.GPU R5, [R2.64]\n"
      "ISETP.EQ.AND P2, PT, R5, RZ, PT\n@P2 BRA round",
      {.x = 96}, {}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  sim::RunOptions options;
  options.max_cycles = 1'000'000'000;
  check_names(fault_of(kernel, sim::load_gpu("tiny"), options),
              {"deadlock: it has gone round", "warp 0", "3 warps spin"});
}

}  // namespace
}  // namespace heddle::test
