// What the model says of programs that no GPU could finish.
#include <fmt/format.h>

#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

/// The message of the fault that the run ends with; empty if it ends well.
std::string fault_of(TextKernel& kernel, const sim::GpuSpec& spec, const sim::RunOptions& options = {}) {
  try {
    kernel.run(spec, options);
    return "";
  } catch (const stream::KernelFault& fault) {
    return fault.what();
  }
}

void check_names(const std::string& message, std::initializer_list<const char*> parts) {
  INFO(message);
  for (const char* part : parts) {
    INFO(part);
    CHECK(message.find(part) != std::string::npos);
  }
}

/// Warp 0 goes on, warps from 1 on branch to `other`.
std::string two_ways(const std::string& first, const std::string& other) {
  return "S2R R0, SR_TID.X\nISETP.GE.U32.AND P0, PT, R0, 0x20, PT\n@P0 BRA other\n" + first +
         "\nBRA out\nother:\n" + other + "\nout:\n";
}

TEST_CASE("warps that wait at different barriers for one another are a deadlock, and each is named") {
  TextKernel kernel(two_ways("BAR.SYNC 0x0", "BAR.SYNC 0x1"), {.x = 64}, {.x = 3});
  for (const bool visit_every_cycle : {false, true}) {
    const std::string message = fault_of(kernel, sim::load_gpu("tiny"), mode(visit_every_cycle));
    check_names(message, {"kernel test", "deadlock", "waits at barrier 0 of instruction 3", "warp 0",
                          "waits at barrier 1 of instruction 5", "warp 1", "block (0,0,0)", "test.sass:"});
  }
}

TEST_CASE("a deadlock after blocks that finished is still found") {
  // Only block 5 deadlocks; the others, of an odd number of waves, run to their end.
  TextKernel kernel("S2R R1, SR_CTAID.X\nISETP.NE.U32.AND P1, PT, R1, 0x5, PT\n@P1 EXIT\n" +
                        two_ways("BAR.SYNC 0x2", "BAR.SYNC 0x3"),
                    {.x = 64}, {.x = 40});
  check_names(fault_of(kernel, sim::load_gpu("tiny")),
              {"deadlock", "block (5,0,0)", "barrier 2", "barrier 3"});
}

TEST_CASE("two warps of a block that meet at one barrier by two instructions are a fault") {
  TextKernel kernel(two_ways("BAR.SYNC 0x4", "NOP\nBAR.SYNC 0x4"), {.x = 64});
  check_names(fault_of(kernel, sim::load_gpu("tiny")),
              {"kernel test", "mismatched barrier", "barrier 4", "instruction", "warp"});
}

TEST_CASE("the same barrier may be used again and again, and different ones in turn") {
  TextKernel kernel(repeat("BAR.SYNC 0x0\nBAR.SYNC 0xf", 10), {.x = 128});
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

/// Blocks but the last wait for it in a loop; it sleeps `naps` milliseconds before.
TextKernel waiting_blocks(unsigned naps, std::uint32_t blocks) {
  TextKernel kernel(R"(
    S2R R0, SR_CTAID.X
    LDC.64 R6, c[flag]
    ISETP.NE.AND P0, PT, R0, c[last], PT
@P0 BRA wait
    MOV R1, c[naps]
nap:
    NANOSLEEP 0xf4240
    IADD3 R1, R1, -0x1, RZ
    ISETP.GT.AND P1, PT, R1, RZ, PT
@P1 BRA nap
    MOV R2, 0x1
    STG.E.STRONG.GPU [R6.64], R2
    EXIT
wait:
    LDG.E.STRONG.GPU R2, [R6.64]
    ISETP.EQ.AND P2, PT, R2, RZ, PT
@P2 BRA wait
)",
                    {.x = 32}, {.x = blocks}, ".param flag ptr\n.param last u32\n.param naps u32");
  kernel.add_buffer("flag", 4);
  kernel.set("last", blocks - 1);
  kernel.set("naps", naps);
  return kernel;
}

TEST_CASE("blocks that wait in a loop wait for as long as the one that they wait for sleeps") {
  sim::GpuSpec spec = sim::load_gpu("tiny");
  for (const unsigned naps : {1U, 10U}) {
    TextKernel kernel = waiting_blocks(naps, 4);
    const Cycle milliseconds = kernel.run(spec).result.cycles / static_cast<Cycle>(spec.clock_mhz * 1e3);
    CHECK(milliseconds == naps);
  }
}

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

TEST_CASE("blocks that hand a token to one another and count in memory end, however often they do") {
  TextKernel kernel(R"(
    LDC.64 R4, c[token]
    LDC.64 R6, c[left]
    S2R R0, SR_CTAID.X
    MOV R3, 0xffffffff
wait:
    LDG.E.STRONG.GPU R2, [R4.64]
    ISETP.NE.AND P0, PT, R2, R0, PT
@P0 BRA wait
    ATOMG.E.ADD.STRONG.GPU PT, R2, [R6.64], R3
    ISETP.LE.AND P1, PT, R2, RZ, PT
    IADD3 R2, -R0, 0x1, RZ
    STG.E.STRONG.GPU [R4.64], R2
@P1 EXIT
    BRA wait
)",
                    {.x = 1}, {.x = 2}, ".param token ptr\n.param left ptr");
  kernel.add_buffer("token", 4);
  kernel.add_buffer("left", 4).as<std::int32_t>()[0] = 25000;
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

TEST_CASE("a wait with a time limit by the clock ends at that") {
  TextKernel kernel(R"(
    LDC.64 R4, c[flag]
    S2R R6, SR_CLOCKLO
wait:
    S2R R2, SR_CLOCKLO
    IADD3 R2, R2, -R6, RZ
    ISETP.LT.U32.AND P0, PT, R2, 0x1e8480, PT
    LDG.E.STRONG.GPU R2, [R4.64]
    ISETP.EQ.AND P0, PT, R2, RZ, P0
@P0 BRA wait
)",
                    {.x = 32}, {.x = 3}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  CHECK(kernel.run(sim::load_gpu("tiny")).result.cycles > 2'000'000);
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

TEST_CASE("who sets a word for a moment and takes it back is heard in the end by who looks at other times") {
  // The one naps for 10 us in each round, as the other does, whose rounds are a little longer.
  TextKernel kernel(R"(
    S2R R0, SR_TID.X
    MOV R1, 0x1
    STS [cell], RZ
    STS [stop], RZ
    BAR.SYNC 0x0
    ISETP.GE.U32.AND P0, PT, R0, 0x20, PT
@P0 BRA late
speaker:
    STS [cell], R1
    STS [cell], RZ
    NANOSLEEP 0x2710
    LDS R2, [stop]
    ISETP.EQ.AND P1, PT, R2, RZ, PT
@P1 BRA speaker
    EXIT
late:
    NANOSLEEP 0x1388
listener:
    LDS R2, [cell]
    ISETP.EQ.AND P1, PT, R2, RZ, PT
    IADD3 R9, RZ, 0x1, RZ
    NANOSLEEP 0x2710
@P1 BRA listener
    STS [stop], R1
)",
                    {.x = 64}, {}, ".shared cell 16\n.shared stop 16");
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

/// f0 counts to 8 in a loop; each function above calls the one below it twice.
std::string call_tree(unsigned height) {
  std::string text = fmt::format("CALL.REL.NOINC f{}\nBRA out\n", height);
  for (unsigned i = height; i > 0; --i) {
    text += fmt::format("f{0}:\nCALL.REL.NOINC f{1}\nCALL.REL.NOINC f{1}\nRET\n", i, i - 1);
  }
  return text +
         "f0:\nMOV R4, RZ\nl:\nIADD3 R4, R4, 0x1, RZ\nISETP.LT.U32.AND P3, PT, R4, 0x8, PT\n@P3 BRA l\n"
         "RET\nout:\n";
}

TEST_CASE("a loop that many calls come to with the same registers is no deadlock") {
  TextKernel kernel(call_tree(14), {.x = 32});
  CHECK(fault_of(kernel, sim::load_gpu("tiny")) == "");
}

/// Lanes 1 to 31 wait in a loop for lane 0, which does this first, and so for 30,000 rounds.
std::string lane_that_is_awaited(const std::string& first) {
  return "S2R R0, SR_TID.X\nISETP.EQ.U32.AND P1, PT, R0, RZ, PT\n@P1 BRA one\nmany:\nLDS R2, [flag]\n"
         "ISETP.EQ.U32.AND P2, PT, R2, RZ, PT\n@P2 BRA many\nBRA done\none:\n" +
         first + "\nMOV R5, 0x1\nSTS [flag], R5\ndone:\n";
}

TEST_CASE("lanes that wait for one of their warp are no deadlock while that one has its turns") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sm.divergence=barrier"});
  TextKernel yields(lane_that_is_awaited(repeat("YIELD", 30'000)), {.x = 32}, {}, ".shared flag 16");
  CHECK(fault_of(yields, spec) == "");
  // It waits for another warp first, and so the warp as a whole seems to spin; then its turns are long.
  TextKernel counts(two_ways(lane_that_is_awaited(R"(
waits:
    LDS R3, [flag+4]
    ISETP.EQ.U32.AND P2, PT, R3, RZ, PT
@P2 BRA waits
    LDC.64 R6, c[zeros]
    MOV R4, RZ
counts:
    LDG.E R9, [R6.64]
    IADD3 R4, R4, R9, RZ
    IADD3 R4, R4, 0x1, RZ
    ISETP.LT.U32.AND P3, PT, R4, 0xbb8, PT
@P3 BRA counts
)"),
                             R"(
    MOV R4, RZ
waits_too:
    IADD3 R4, R4, 0x1, RZ
    ISETP.LT.U32.AND P3, PT, R4, 0x1770, PT
@P3 BRA waits_too
    MOV R5, 0x1
    STS [flag+4], R5
)"),
                    {.x = 64}, {}, ".shared flag 16\n.param zeros ptr");
  counts.add_buffer("zeros", 4);
  CHECK(fault_of(counts, spec) == "");
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

TEST_CASE("a warp that spins where all others wait at a barrier is a deadlock") {
  TextKernel kernel(two_ways("BAR.SYNC 0x0", "here:\nBRA here"), {.x = 96});
  check_names(fault_of(kernel, sim::load_gpu("tiny")),
              {"deadlock: it has gone round", "warp 1", "2 warps spin"});
}

TEST_CASE("warps that look for a flag at each barrier wait for the one that counts, however far") {
  TextKernel kernel(R"(
    LDC.64 R2, c[flag]
    S2R R0, SR_TID.X
    ISETP.LT.AND P0, PT, R0, 0x20, PT
    MOV R4, RZ
    MOV R6, 0x1
round:
    BAR.SYNC 0x0
@P0 IADD3 R4, R4, 0x1, RZ
    ISETP.EQ.AND P1, PT, R4, 0x7530, PT
@P1 STG.E.STRONG.GPU [R2.64], R6
    MOV R5, RZ
@!P0 LDG.E.STRONG.GPU R5, [R2.64]
@P1 MOV R5, R6
    ISETP.EQ.AND P2, PT, R5, RZ, PT
@P2 BRA round
)",
                    {.x = 96}, {}, ".param flag ptr");
  kernel.add_buffer("flag", 4);
  CHECK(fault_of(kernel, sim::load_gpu("h100")) == "");  // whose L2 lets warp 0 wait for the others mostly
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

TEST_CASE("a loop without end meets the cycle limit, with what is still running") {
  TextKernel kernel("loop:\nNOP\nBRA loop", {.x = 32}, {.x = 7});
  sim::RunOptions options;
  options.max_cycles = 1000;
  for (const bool visit_every_cycle : {false, true}) {
    options.visit_every_cycle = visit_every_cycle;
    check_names(fault_of(kernel, sim::load_gpu("tiny"), options),
                {"kernel test", "cycle limit of 1000", "0 of 7 blocks", "block (0,0,0), warp 0"});
  }
}

TEST_CASE("a run of n cycles meets a limit of n - 1 and not one of n") {
  TextKernel kernel(repeat("MUFU.RCP R0, RZ", 40), {.x = 64}, {.x = 20});
  for (const char* gpu : {"tiny", "textbook"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Cycle cycles = kernel.run(spec).result.cycles;
    for (const bool visit_every_cycle : {false, true}) {
      INFO(gpu << ", " << cycles << " cycles");
      sim::RunOptions options = mode(visit_every_cycle);
      options.max_cycles = cycles;
      CHECK(fault_of(kernel, spec, options) == "");
      options.max_cycles = cycles - 1;
      check_names(fault_of(kernel, spec, options), {"cycle limit"});
    }
  }
}

TEST_CASE("a limit does not shorten the way of the last stores to memory") {
  TextKernel kernel("LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\nSTG.E [R2.64], RZ", {.x = 32}, {},
                    ".param data ptr");
  kernel.add_buffer("data", 4);
  const sim::GpuSpec spec = sim::load_gpu("h100");
  sim::RunOptions options;
  options.max_cycles = kernel.run(spec).result.cycles;
  CHECK(kernel.run(spec, options).result.total.memory.l2_store_sectors == 1);
}

TEST_CASE("progress is told in order, up to the number of blocks") {
  TextKernel kernel("MOV R0, RZ\n" + repeat("MUFU.RCP R0, R0", 400), {.x = 64}, {.x = 100});
  std::vector<sim::Progress> told;
  sim::RunOptions options;
  options.progress = [&told](const sim::Progress& progress) { told.push_back(progress); };
  const Timeline run = kernel.run(sim::load_gpu("tiny"), options);
  REQUIRE(told.size() > 10);
  for (std::size_t i = 1; i < told.size(); ++i) {
    CHECK(told[i].cycle > told[i - 1].cycle);
    CHECK(told[i].blocks_done >= told[i - 1].blocks_done);
  }
  CHECK(told.back().blocks == 100);
  CHECK(told.back().cycle <= run.result.cycles + 10);
}

}  // namespace
}  // namespace heddle::test
