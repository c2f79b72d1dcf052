// What it costs that the registers of instructions lie in one bank.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

/// All registers that are used here are written first; constants have no banks.
std::string with_registers(const std::string& body) {
  std::string text;
  for (unsigned i = 0; i < 48; ++i) text += fmt::format("MOV R{}, RZ\n", i);
  return text + repeat("NOP", 8) + "work:\n" + body;
}

/// A kernel whose registers lie where their numbers say.
TextKernel banked(const std::string& body, unsigned warps = 1) {
  return TextKernel(with_registers(body), {.x = 32 * warps}, {}, ".banked\n");
}

/// Cycles from the first of two instructions to what follows the second.
Cycle cycles_of_pair(const sim::GpuSpec& spec, const char* first, const char* second) {
  TextKernel kernel = banked(fmt::format("{}\n{}\nNOP", first, second));
  const Timeline run = kernel.run(spec);
  const Pc work = kernel.pc_of("work");
  return run.cycles_at(work + 2).front() - run.cycles_at(work).front();
}

/// The first reads three registers of even number.
Cycle cycles_of_two(const sim::GpuSpec& spec, const char* second) {
  return cycles_of_pair(spec, "FFMA R11, R10, R12, R14", second);
}

TEST_CASE("FFMA loses as many cycles to a bank as measured on compute capability 8.6") {
  // arXiv 2503.20481: none with two registers of the other bank, one with one, two with none.
  const sim::GpuSpec spec = launching_at_once("rtx3080");
  CHECK(cycles_of_two(spec, "FFMA R13, R16, R19, R21") == 2);
  CHECK(cycles_of_two(spec, "FFMA R13, R16, R18, R21") == 3);
  CHECK(cycles_of_two(spec, "FFMA R13, R16, R18, R20") == 4);
  CHECK(cycles_of_two(spec, "FFMA R13, R16, R16, R16") == 2);
  CHECK(cycles_of_two(spec, "FFMA R13, R16, 1.5, RZ") == 2);
  const sim::GpuSpec off = launching_at_once("rtx3080", {"sm.register_file.banks=0"});
  CHECK(cycles_of_two(off, "FFMA R13, R16, R18, R20") == 2);
}

TEST_CASE("on V100 FFMA loses a cycle with three registers in one bank, and only then") {
  // arXiv 1804.06826. Two FFMAs take the pipe for two cycles each.
  const sim::GpuSpec spec = launching_at_once("v100");
  CHECK(cycles_of_pair(spec, "FFMA R11, R10, R13, R14", "FFMA R13, R16, R18, R21") == 3);
  CHECK(cycles_of_pair(spec, "FFMA R11, R10, R12, R14", "FFMA R13, R16, R19, R21") == 4);
  CHECK(cycles_of_pair(spec, "FFMA R11, R11, R13, R15", "FFMA R13, R17, R19, R21") == 5);
}

TEST_CASE("a register that is kept for the same operand is not read again") {
  const sim::GpuSpec spec = launching_at_once("rtx3080");
  const auto after_kept = [&](const char* second) {
    return cycles_of_pair(spec, "FFMA R11, R10.reuse, R12, R14", second);
  };
  CHECK(after_kept("FFMA R13, R10, R18, R20") == 3);
  CHECK(after_kept("FFMA R13, R18, R10, R20") == 4);
  CHECK(after_kept("FFMA R13, R10, R18, R21") == 2);
}

TEST_CASE("what comes late is ready late") {
  const sim::GpuSpec spec = launching_at_once("rtx3080");
  TextKernel kernel = banked("FFMA R11, R10, R12, R14\nFFMA R13, R16, R18, R20\nFADD R1, R13, R13");
  const Pc work = kernel.pc_of("work");
  const Timeline run = kernel.run(spec);
  CHECK(run.cycles_at(work + 2).front() - run.cycles_at(work + 1).front() ==
        2 + spec.sm.timing(ir::TimingClass::Fp32).latency);
}

/// Cycles between issues of a sub-partition, of FFMAs of 8 warps.
double interval_of(const sim::GpuSpec& spec, const char* sources, const char* directives = ".banked\n") {
  constexpr unsigned kWarps = 8;
  constexpr unsigned kCount = 240;
  std::string body;
  for (unsigned i = 0; i < kCount; ++i) body += fmt::format("FFMA R{}, {}\n", 31 + 2 * (i % 8), sources);
  const unsigned partitions = spec.sm.sub_partitions;
  TextKernel kernel(with_registers(body), {.x = 32 * partitions * kWarps}, {}, directives);
  const Timeline run = kernel.run(spec);
  const Pc work = kernel.pc_of("work");
  const Cycle first = run.cycles_in(0, spec, work).front();
  const Cycle last = run.cycles_in(0, spec, work + kCount - 1).back();
  return static_cast<double>(last - first) / (kWarps * kCount - 1);
}

TEST_CASE("FFMAs in a row take as long as the fuller bank, or their pipe") {
  const auto about = [](double cycles) { return Approx(cycles).epsilon(0.02); };
  // A pipe of 16 lanes takes two cycles anyway: three registers of one of two banks are a conflict (arXiv
  // 1804.06826).
  const sim::GpuSpec v100 = launching_at_once("v100", {"sm.scheduler=lrr"});
  CHECK(interval_of(v100, "R2, R3, R5") == about(2));
  CHECK(interval_of(v100, "R2, R4, R5") == about(2));
  CHECK(interval_of(v100, "R2, R4, R6") == about(3));
  const sim::GpuSpec rtx3080 = launching_at_once("rtx3080", {"sm.scheduler=lrr"});
  CHECK(interval_of(rtx3080, "R2, R2, R3") == about(1));
  CHECK(interval_of(rtx3080, "R2, R4, R5") == about(2));
  CHECK(interval_of(rtx3080, "R2, R4, R6") == about(3));
  // Four banks: two registers of one are a conflict.
  const sim::GpuSpec p100 = launching_at_once("p100", {"sm.scheduler=lrr"});
  CHECK(interval_of(p100, "R2, R4, R5") == about(1));
  CHECK(interval_of(p100, "R2, R6, R5") == about(2));
  CHECK(interval_of(p100, "R2, R6, R10") == about(3));
}

TEST_CASE("kept registers give FFMA its full rate to a warp that goes on alone") {
  const sim::GpuSpec greedy = launching_at_once("rtx3080", {"sm.scheduler=gto"});
  TextKernel kernel =
      banked(repeat("FFMA R31, R2.reuse, R4.reuse, R5\nFFMA R33, R2.reuse, R4.reuse, R7\n"
                    "FFMA R35, R2.reuse, R4.reuse, R5\nFFMA R37, R2.reuse, R4.reuse, R7\n",
                    50));
  const Pc work = kernel.pc_of("work");
  const Timeline run = kernel.run(greedy);
  CHECK(run.cycles_at(work + 199).front() - run.cycles_at(work).front() == 199);
}

TEST_CASE("registers that nobody numbered for banks have no conflicts") {
  CHECK(interval_of(launching_at_once("rtx3080", {"sm.scheduler=lrr"}), "R2, R4, R6", "") ==
        Approx(1).epsilon(0.02));
}

TEST_CASE("what a bank costs is a dispatch stall") {
  std::string body;
  for (unsigned i = 0; i < 60; ++i) body += fmt::format("FFMA R{}, R2, R4, R6\n", 31 + 2 * (i % 8));
  const sim::GpuSpec spec = launching_at_once("rtx3080");
  TextKernel kernel = banked(body);
  const Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec).empty());
  // The first finds free ports, each of the others takes two cycles more than its own, lost to what comes
  // behind it.
  CHECK(run.result.total.stalls[ir::StallReason::DispatchStall] == 59 * 2);
  CHECK(run.result.total.issue_slots.stalled[ir::StallReason::DispatchStall] == 59 * 2);
  CHECK(differences(run.result, kernel.run(spec, mode(true)).result).empty());
}

}  // namespace
}  // namespace heddle::test
