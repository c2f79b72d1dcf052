// How long written traces take: closed forms from the GPU file, and the same kernels as text.
#include <fmt/format.h>

#include "sim/trace/replay/replay_kernel.h"
#include "tests/support/both_modes.h"
#include "tests/support/written_trace.h"

namespace heddle::test {
namespace {

using ir::TimingClass;

/// The run by jumps, once it has been checked against the one that visits every cycle, and its books.
Timeline replay(const trace::TraceHeader& header, const std::string& body, const sim::GpuSpec& spec) {
  trace::ReplayKernel first(std::make_unique<WrittenTrace>(header, body));
  trace::ReplayKernel second(std::make_unique<WrittenTrace>(header, body));
  Timeline jumped = simulate(first, spec, mode(false));
  const Timeline visited = simulate(second, spec, mode(true));
  CHECK(differences(jumped.result, visited.result) == std::vector<std::string>{});
  CHECK(broken_laws(jumped.result, spec) == std::vector<std::string>{});
  CHECK((issues_of(jumped) == issues_of(visited)));
  return jumped;
}

/// Lines at consecutive places, then an EXIT of the lanes of `exit_mask`.
std::string warp_text(unsigned warp, const std::vector<std::string>& lines,
                      const char* exit_mask = "ffffffff") {
  std::string text = fmt::format("warp {}\n", warp);
  unsigned pc = 0;
  for (const std::string& line : lines) {
    text += fmt::format("{:04x} {}\n", pc, line);
    pc += 16;
  }
  return text + fmt::format("{:04x} {} 0 EXIT 0 0 0\n", pc, exit_mask);
}

std::string one_warp(const std::vector<std::string>& lines) {
  return fmt::format("block 0,0,0\n{}", warp_text(0, lines));
}

std::vector<std::string> times(const std::string& line, unsigned count) {
  return std::vector<std::string>(count, line);
}

Cycle latency(const sim::GpuSpec& spec, TimingClass which) { return spec.sm.timing(which).latency; }

/// From the issue of the first line to that of the second, which needs its result.
Cycle step_of(const sim::GpuSpec& spec, const std::string& producer, const std::string& consumer) {
  const Timeline run = replay(written_header({.x = 32}), one_warp({producer, consumer}), spec);
  return steps(run.cycles(0)).front();
}

TEST_CASE("a written chain of dependent instructions takes the latency for each") {
  for (const char* gpu : {"h100", "a100", "v100"}) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    INFO(gpu);
    const std::string body = one_warp(times("ffffffff 1 R3 FFMA 2 R3 R0 0 0", 12));
    const Timeline run = replay(written_header({.x = 32}), body, spec);
    const Cycle each = latency(spec, TimingClass::Fp32);
    std::vector<Cycle> expected(11, each);
    expected.push_back(1);  // EXIT waits for nothing
    CHECK(steps(run.cycles(0)) == expected);
    CHECK(run.cycles(0).front() == Cycle{spec.dispatch.kernel_launch});
    CHECK(run.result.cycles == spec.dispatch.kernel_launch + 11 * each + 2);
    CHECK(run.result.total.warp_instructions == 13);
    CHECK(run.result.total.thread_instructions == 13 * 32);
  }
}

TEST_CASE("two warps of a scheduler hide each other's latency, written down") {
  // Warps 0 and 4 share a scheduler; the others are gone at once.
  const sim::GpuSpec spec = launching_at_once("h100", {"sm.scheduler=gto"});
  const std::vector<std::string> chain = times("ffffffff 1 R3 FFMA 2 R3 R0 0 0", 20);
  std::string body = fmt::format("block 0,0,0\n{}", warp_text(0, chain));
  for (unsigned warp = 1; warp < 4; ++warp) body += warp_text(warp, {});
  body += warp_text(4, chain);
  const Timeline run = replay(written_header({.x = 160}), body, spec);
  std::vector<Cycle> expected(19, latency(spec, TimingClass::Fp32));
  expected.push_back(1);
  CHECK(steps(run.cycles(0)) == expected);
  expected[18] = latency(spec, TimingClass::Fp32) + 1;  // the greedy scheduler issues warp 0's EXIT first
  CHECK(steps(run.cycles(4)) == expected);
  CHECK(run.cycles(4).front() == run.cycles(0).front() + 1);
}

TEST_CASE("written barriers hold the warps of a block") {
  for (const char* gpu : {"h100", "a100"}) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    std::string body = "block 0,0,0\n";
    const std::vector<std::string> late = times("ffffffff 1 R3 FFMA 2 R3 R0 0 0", 50);
    for (unsigned warp = 0; warp < 4; ++warp) {
      std::vector<std::string> lines;
      if (warp == 2) lines = late;
      lines.push_back("ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0");
      body += warp_text(warp, lines);
    }
    const Timeline run = replay(written_header({.x = 128}), body, spec);
    const Cycle arrival = *(run.cycles(2).end() - 2);
    CHECK(arrival == run.cycles(2).front() + 49 * latency(spec, TimingClass::Fp32) + 1);
    for (unsigned warp = 0; warp < 4; ++warp) CHECK(run.cycles(warp).back() == arrival + 22 + 2);
  }
}

TEST_CASE("written named barriers count threads, and arriving does not wait") {
  // Warps 0 and 1 meet at barrier 1; warp 2 comes to barrier 2 first and goes on, warp 3 waits for it.
  const sim::GpuSpec spec = launching_at_once("h100");
  const std::vector<std::string> late = times("ffffffff 1 R3 FFMA 2 R3 R0 0 0", 30);
  std::string body = "block 0,0,0\n";
  body += warp_text(0, {"ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 1 64"});
  body += warp_text(1, {"ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 1 64"});
  std::vector<std::string> lines = late;
  lines.push_back("ffffffff 0 BAR.ARV 0 0 2 64");
  body += warp_text(2, lines);
  body += warp_text(3, {"ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 2 64"});
  const Timeline run = replay(written_header({.x = 128}), body, spec);
  const Cycle start = run.cycles(0).front();
  CHECK(run.cycles(0).back() == start + 22 + 2 * 2);
  CHECK(run.cycles(1).back() == start + 22 + 2 * 2);
  const Cycle arrival = *(run.cycles(2).end() - 2);
  CHECK(run.cycles(2).back() == arrival + 1);
  CHECK(run.cycles(3).back() == arrival + 22 + 2);
}

TEST_CASE("warps may meet at a written barrier by different instructions, as a GPU has let them") {
  const sim::GpuSpec spec = launching_at_once("h100");
  const std::string body = fmt::format("block 0,0,0\n{}{}", warp_text(0, {"ffffffff 0 BAR.SYNC 0 0 0"}),
                                       warp_text(1, {"ffffffff 0 NOP 0 0", "ffffffff 0 BAR.SYNC 0 0 0"}));
  const Timeline run = replay(written_header({.x = 64}), body, spec);
  CHECK(run.cycles(0).back() == run.cycles(1).back());
}

TEST_CASE("lanes of a warp may come to a written barrier one part after another: the warp comes once") {
  const sim::GpuSpec spec = launching_at_once("h100");
  const std::vector<std::string> parts = {"0000ffff 0 BAR.SYNC 0 0 0", "ffff0000 0 BAR.SYNC 0 0 0"};
  const std::string whole = "0000 ffffffff 0 BAR.SYNC 0 0 0\n";
  std::string body = "block 0,0,0\nwarp 0\n";
  for (unsigned round = 0; round < 3; ++round) {
    for (const std::string& part : parts) body += fmt::format("0000 {}\n", part);
  }
  body += fmt::format("0010 ffffffff 0 EXIT 0 0\nwarp 1\n{0}{0}{0}0010 ffffffff 0 EXIT 0 0\n", whole);
  const Timeline run = replay(written_header({.x = 64}), body, spec);
  CHECK(run.cycles(0).size() == 7);
  const Cycle cost = 22 + 2 * 2;
  CHECK(steps(run.cycles(1)).front() == cost);
  CHECK(run.result.total.warp_instructions == 11);
  CHECK(run.result.total.thread_instructions == 6 * 16 + 3 * 32 + 2 * 32);
}

TEST_CASE("written lanes on one bank of shared memory take turns") {
  const sim::GpuSpec spec = launching_at_once("h100");
  const Cycle alone = latency(spec, TimingClass::LoadShared);
  const std::pair<int, Cycle> strides[] = {{4, 1}, {8, 2}, {12, 1}, {16, 4}, {64, 16}, {128, 32}, {0, 1}};
  for (const auto& [stride, passes] : strides) {
    INFO("stride " << stride);
    CHECK(step_of(spec, fmt::format("ffffffff 1 R4 LDS 1 R2 4 1 0x0 {} 0", stride),
                  "ffffffff 1 R5 FADD 2 R4 R4 0 0") == alone + passes - 1);
  }
}

TEST_CASE("registers behind the first one of a wide result are waited for, too") {
  const sim::GpuSpec spec = launching_at_once("h100");
  struct Wide {
    std::string producer;
    unsigned last;  // register of the result, from R4 on
    Cycle step;
  };
  const Cycle shared = latency(spec, TimingClass::LoadShared);
  const Wide cases[] = {
      {"ffffffff 1 R4 LDS 1 R2 4 1 0x0 4 0", 4, shared},
      {"ffffffff 1 R4 LDS.64 1 R2 8 1 0x0 8 0", 5, shared + 1},
      {"ffffffff 1 R4 LDS.U.128 1 R2 16 1 0x0 16 0", 7, shared + 3},
      {"ffffffff 1 R4 IMAD.WIDE 2 R6 R7 0 0", 5, latency(spec, TimingClass::ImadWide)},
      {"ffffffff 1 R4 DADD 2 R8 R10 0 0", 5, latency(spec, TimingClass::Fp64) + spec.sm.bypass.fp64},
      {"ffffffff 1 R4 HMMA.16816.F32 3 R8 R12 R16 0 0", 7, latency(spec, TimingClass::Tensor16816F32)},
      {"ffffffff 1 R4 HMMA.1688.F16 3 R8 R12 R16 0 0", 5, latency(spec, TimingClass::Tensor1688F16)},
      {"ffffffff 1 R4 IMMA.16832.S8.S8 3 R8 R12 R16 0 0", 7, latency(spec, TimingClass::Tensor16816F32)},
      {"ffffffff 1 R4 LDSM.16.M88.4 1 R2 16 1 0x0 16 0", 7, shared + 3},
  };
  for (const Wide& wide : cases) {
    for (unsigned reg = 4; reg <= 8; ++reg) {
      INFO(wide.producer << ", R" << reg);
      const Cycle step = step_of(spec, wide.producer, fmt::format("ffffffff 1 R40 FADD 2 R{} R50 0 0", reg));
      CHECK(step == (reg <= wide.last ? wide.step : 1));
    }
  }
}

/// What one of many such pairs of lines takes a scheduler of an H100, with four warps to hide latencies.
double pair(const std::string& first, const std::string& second) {
  const sim::GpuSpec spec = launching_at_once("h100");
  constexpr unsigned kWarps = 16;
  const auto cycles = [&](unsigned pairs) {
    std::vector<std::string> lines;
    for (unsigned i = 0; i < pairs; ++i) {
      lines.push_back("ffffffff " + first);
      lines.push_back("ffffffff " + second);
    }
    std::string body = "block 0,0,0\n";
    for (unsigned warp = 0; warp < kWarps; ++warp) body += warp_text(warp, lines);
    return static_cast<double>(replay(written_header({.x = 32 * kWarps}), body, spec).result.cycles);
  };
  return (cycles(300) - cycles(100)) / 200 / (kWarps / 4);
}

TEST_CASE("registers that a line reads lie in two banks, which give one each in a cycle") {
  // Both read two odd registers; one does; none reads two of a bank.
  CHECK(pair("1 R15 FFMA 3 R11 R15 R10 0 0", "1 R13 FFMA 3 R9 R13 R8 0 0") == Approx(4).epsilon(0.01));
  CHECK(pair("1 R15 FFMA 3 R9 R15 R8 0 0", "1 R10 FFMA 3 R12 R10 R11 0 0") == Approx(3).epsilon(0.01));
  CHECK(pair("1 R15 FADD 2 R15 R8 0 0", "1 R13 FADD 2 R13 R10 0 0") == Approx(2).epsilon(0.01));
  // A zero is read from nowhere.
  CHECK(pair("1 R15 FFMA 3 R9 R255 R8 0 0", "1 R13 FFMA 3 R11 R255 R10 0 0") == Approx(2).epsilon(0.01));
}

TEST_CASE("what the next line reads in the same place is kept from one line to the other") {
  // R11 in the first place of both, or in different places. After a pair, which waits for itself, another
  // warp's is next.
  CHECK(pair("1 R15 FFMA 3 R11 R15 R10 0 0", "1 R13 FFMA 3 R11 R13 R8 0 0") == Approx(3).epsilon(0.01));
  CHECK(pair("1 R15 FFMA 3 R11 R15 R10 0 0", "1 R13 FFMA 3 R13 R11 R8 0 0") == Approx(4).epsilon(0.01));
  // A number stands second, so that R15 is third in both lines; a constant is the last, so that it is not.
  CHECK(pair("1 R2 FFMA 2 R9 R15 0 3", "1 R4 FFMA 3 R11 R13 R15 0 0") == Approx(4).epsilon(0.01));
  CHECK(pair("1 R2 FFMA 2 R9 R15 0 0", "1 R4 FFMA 3 R11 R13 R15 0 0") == Approx(5).epsilon(0.01));
}

TEST_CASE("the numbers of registers that Heddle recorded say nothing of banks, but where its facts do") {
  const sim::GpuSpec spec = launching_at_once("h100");
  trace::TraceHeader header = written_header({.x = 32});
  std::vector<std::string> lines;
  for (int reg = 20; reg < 120; reg += 2) {
    lines.push_back(fmt::format("ffffffff 1 R{} FFMA 3 R9 R15 R11 0 0", reg));
    lines.push_back(fmt::format("ffffffff 1 R{} FFMA 3 R15 R11 R9 0 0", reg + 1));
  }
  const std::string body = one_warp(lines);
  const Cycle in_banks = replay(header, body, spec).result.cycles;
  header.nvbit_version = trace::kRecordedByHeddle;
  CHECK(in_banks > replay(header, body, spec).result.cycles + 100);
}

TEST_CASE("a sleep and a fence that no lane executes hold nobody up") {
  const sim::GpuSpec spec = launching_at_once("h100");
  const auto cycles_of = [&spec](const std::string& line) {
    return replay(written_header({.x = 32}), one_warp({line}), spec).result.cycles;
  };
  CHECK(cycles_of("00000000 0 MEMBAR.SC.SYS 0 0 0") == cycles_of("00000000 0 NOP 0 0 0"));
  const Cycle no_time = cycles_of("00000000 0 NANOSLEEP 0 0 0");
  CHECK(cycles_of("00000000 0 NANOSLEEP 0 0 1000") == no_time);
  CHECK(cycles_of("ffffffff 0 NANOSLEEP 0 0 1000") > no_time + 1970);
}

TEST_CASE("a store waits for all registers of its data and of its address") {
  const sim::GpuSpec spec = launching_at_once("h100");
  const Cycle mufu = latency(spec, TimingClass::SpecialFunction);
  const auto step = [&](unsigned reg, const char* store) {
    return step_of(spec, fmt::format("ffffffff 1 R{} MUFU.EX2 1 R60 0 0", reg), store);
  };
  const char* const store = "ffffffff 0 STG.E.64 2 R2 R8 8 1 0x7f0000000000 8 0";
  for (const unsigned reg : {2U, 3U, 8U, 9U}) CHECK(step(reg, store) == mufu);
  for (const unsigned reg : {4U, 10U}) CHECK(step(reg, store) == 1);
  // The result of an atomic stands behind a predicate, among the sources.
  const char* const atomic = "ffffffff 0 ATOMG.E.ADD.STRONG.GPU 3 R20 R2 R8 4 1 0x7f0000000000 4 0";
  for (const unsigned reg : {2U, 3U, 8U, 20U}) CHECK(step(reg, atomic) == mufu);
  CHECK(step(9, atomic) == 1);
}

TEST_CASE("written masks fill the lane ledger") {
  const sim::GpuSpec spec = launching_at_once("h100");
  // Warp 1 has 8 lanes. Warp 0: both ways of a branch, then 16 lanes exit, and an EXIT that nobody takes.
  const std::string body =
      "block 0,0,0\n"
      "warp 0\n"
      "0000 ffffffff 0 NOP 0 0\n"
      "0010 0000ffff 0 NOP 0 0\n"
      "0020 ffff0000 0 NOP 0 0\n"
      "0030 00000000 0 EXIT 0 0\n"
      "0040 0000ffff 0 EXIT 0 0\n"
      "0050 ffff0000 0 NOP 0 0\n"
      "0060 ffff0000 0 EXIT 0 0\n"
      "warp 1\n"
      "0000 000000ff 0 NOP 0 0\n"
      "0060 000000ff 0 EXIT 0 0\n";
  const Timeline run = replay(written_header({.x = 40}), body, spec);
  const sim::SmCounters& total = run.result.total;
  CHECK(total.warp_instructions == 9);
  CHECK(total.lane_slots[sim::LaneSlotPart::Executed] == 32 + 16 + 16 + 0 + 16 + 16 + 16 + 8 + 8);
  CHECK(total.lane_slots[sim::LaneSlotPart::PredicatedOff] == 16);  // the empty mask: the lanes before it
  CHECK(total.lane_slots[sim::LaneSlotPart::Diverged] == 16 + 16 + 16 + 16);
  CHECK(total.lane_slots[sim::LaneSlotPart::Exited] == 16 + 16);
  CHECK(total.lane_slots[sim::LaneSlotPart::NeverExisted] == 24 + 24);
}

TEST_CASE("a kernel takes the same cycles as text and as a trace") {
  for (const char* gpu : {"h100", "a100", "v100"}) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    INFO(gpu);
    TextKernel kernel(
        "S2R R0, SR_TID.X\n"
        "IMAD.WIDE.U32 R2, R0, 0x4, c[data]\n"
        "IMAD.WIDE.U32 R16, R0, 0x10, c[data]\n"
        "SHF.L.U32 R4, R0, 0x2, RZ\n"
        "LDG.E R6, [R2.64]\n"
        "FADD R6, R6, R6\n"
        "STS [R4], R6\n"
        "BAR.SYNC 0x0\n"
        "LDS R7, [R4+0x4]\n"
        "MUFU.EX2 R7, R7\n"
        "LDG.E.128 R8, [R16.64+0x400]\n"
        "DFMA R12, R8, R10, R10\n"
        "ATOMS.ADD R14, [R4], R7\n"
        "MEMBAR.SC.GPU\n"
        "STG.E.64 [R16.64+0x1000], R12",
        {.x = 96}, {.x = 3}, ".param data ptr\n.shared tile 1024");
    const Addr data = kernel.add_buffer("data", 8192).address();
    const Timeline live = run_both(kernel, spec);

    std::string body;
    for (unsigned block = 0; block < 3; ++block) {
      body += fmt::format("block {},0,0\n", block);
      for (unsigned warp = 0; warp < 3; ++warp) {
        const Addr base = data + 128 * warp;
        const Addr wide = data + 512 * warp;
        const std::string shared = fmt::format("1 {:#x} 4", 128 * warp);
        body += warp_text(
            warp,
            {"ffffffff 1 R0 S2R 0 0", "ffffffff 1 R2 IMAD.WIDE.U32 1 R0 0 4",
             "ffffffff 1 R16 IMAD.WIDE.U32 1 R0 0 16", "ffffffff 1 R4 SHF.L.U32 2 R0 R255 0 2",
             fmt::format("ffffffff 1 R6 LDG.E 1 R2 4 1 {:#x} 4 0", base), "ffffffff 1 R6 FADD 2 R6 R6 0",
             fmt::format("ffffffff 0 STS 2 R4 R6 4 {} 0", shared), "ffffffff 0 BAR.SYNC 0 0 0",
             fmt::format("ffffffff 1 R7 LDS 1 R4 4 1 {:#x} 4 0", 128 * warp + 4),
             "ffffffff 1 R7 MUFU.EX2 1 R7 0",
             fmt::format("ffffffff 1 R8 LDG.E.128 1 R16 16 1 {:#x} 16 0", wide + 0x400),
             "ffffffff 1 R12 DFMA 3 R8 R10 R10 0",
             fmt::format("ffffffff 1 R14 ATOMS.ADD 2 R4 R7 4 {} 0", shared), "ffffffff 0 MEMBAR.SC.GPU 0 0",
             fmt::format("ffffffff 0 STG.E.64 2 R16 R12 8 1 {:#x} 16 0", wide + 0x1000)});
      }
    }
    const stream::LaunchShape& shape = live.result.launch;
    trace::TraceHeader header = written_header(shape.block, shape.grid, shape.registers_per_thread);
    header.kernel = shape.kernel;
    header.shared_bytes = shape.shared_bytes_per_block;
    const Timeline replayed = replay(header, body, spec);
    CHECK(differences(live.result, replayed.result) == std::vector<std::string>{});
    CHECK((issues_of(live) == issues_of(replayed)));
  }
}

}  // namespace
}  // namespace heddle::test
