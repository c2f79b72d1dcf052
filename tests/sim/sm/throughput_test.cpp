// How many instructions a pipe takes: intervals, pairs of pipes, one issue a cycle.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

constexpr const char* kRealGpus[] = {"v100", "a100", "h100"};

/// The steps between the issues in sub-partition 0 from label `work` on, all warps together.
std::vector<Cycle> issue_steps(TextKernel& kernel, const sim::GpuSpec& spec) {
  const Pc first = kernel.pc_of("work");
  std::vector<Cycle> cycles;
  for (const sim::WarpIssued& event : kernel.run(spec).issued) {
    const bool is_work = event.pc >= first && event.pc < kernel.pc_of("end");
    if (is_work && event.slot % spec.sm.sub_partitions == 0) cycles.push_back(event.cycle);
  }
  std::sort(cycles.begin(), cycles.end());
  return steps(cycles);
}

/// Independent instructions of one warp: each writes a register of its own.
std::string independent(const char* instruction, unsigned count) {
  std::string body = "work:\n";
  for (unsigned i = 0; i < count; ++i) body += fmt::format(fmt::runtime(instruction), 4 * i) + "\n";
  return body + "end:\n";
}

struct Rate {
  const char* instruction;  // {} is the register written
  Cycle interval;
};

TEST_CASE("independent instructions of a warp issue at the interval of their pipe") {
  // An interval of 32 / (lanes a sub-partition has): V100, A100 and H100 agree but for FP32.
  const Rate rates[] = {{"MUFU.RCP R{}, RZ", 8},         {"F2I R{}, RZ", 8},
                        {"S2R R{}, SR_TID.X", 8},        {"LDC R{}, c[blockDim.x]", 8},
                        {"IADD3 R{}, RZ, RZ, RZ", 2},    {"IMAD R{}, RZ, RZ, RZ", 2},
                        {"IMAD.WIDE R{}, RZ, RZ, RZ", 2}};
  for (const char* gpu : kRealGpus) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    for (const Rate& rate : rates) {
      INFO(gpu << ": " << rate.instruction);
      TextKernel kernel(independent(rate.instruction, 10), {.x = 32});
      CHECK(issue_steps(kernel, spec) == std::vector<Cycle>(9, rate.interval));
    }
  }
}

TEST_CASE("n MUFUs of n warps keep the special function pipe for 8 n cycles") {
  for (const char* gpu : kRealGpus) {
    const sim::GpuSpec spec = launching_at_once(gpu);
    for (const unsigned warps : {1U, 2U, 4U, 8U}) {  // of one sub-partition
      INFO(gpu << ", " << warps << " warps");
      TextKernel kernel("work:\nMUFU.RCP R0, RZ\nend:\nMOV R1, R0\n", {.x = 128 * warps});
      CHECK(issue_steps(kernel, spec) == std::vector<Cycle>(warps - 1, 8));
      const Timeline run = kernel.run(spec);
      std::uint64_t busy = 0;
      for (std::size_t i = 0; i < spec.sm.pipes.size(); ++i) {
        if (spec.sm.pipes[i].name == "xu") busy = run.result.total.pipe_busy[i];
      }
      CHECK(busy == 4 * warps * 8);
    }
  }
}

TEST_CASE("FP32 sustains one a cycle on two pipes, one in two cycles on one") {
  for (const char* gpu : kRealGpus) {
    INFO(gpu);
    const sim::GpuSpec spec = launching_at_once(gpu);
    const Cycle step = spec.name == "h100" ? 1 : 2;
    TextKernel one_warp(independent("FADD R{}, RZ, RZ", 16), {.x = 32});
    CHECK(issue_steps(one_warp, spec) == std::vector<Cycle>(15, step));
    const sim::GpuSpec in_turn = launching_at_once(gpu, {"sm.scheduler=lrr"});  // so that the EXITs come last
    TextKernel many_warps(independent("FADD R{}, RZ, RZ", 16), {.x = 1024});
    CHECK(issue_steps(many_warps, in_turn) == std::vector<Cycle>(16 * 8 - 1, step));
  }
}

TEST_CASE("a chain of FFMAs needs latency x rate warps to fill the pipes") {
  // Little's law: 4 cycles at one a cycle are 4 warps a scheduler on an H100; at one in two cycles 2 on an
  // A100.
  for (const char* gpu : kRealGpus) {
    const sim::GpuSpec spec = launching_at_once(gpu, {"sm.scheduler=lrr"});
    const unsigned needed = spec.name == "h100" ? 4 : 2;
    for (unsigned warps = 1; warps <= 8; ++warps) {
      INFO(gpu << ", " << warps << " warps a scheduler");
      constexpr unsigned kChain = 64;
      TextKernel kernel("work:\nFFMA R0, RZ, RZ, RZ\n" + repeat("FFMA R0, RZ, RZ, R0", kChain - 1) + "end:\n",
                        {.x = 128 * warps});
      const std::vector<Cycle> gaps = issue_steps(kernel, spec);
      Cycle took = 0;
      for (const Cycle gap : gaps) took += gap;
      // The last warp's last link: with too few warps everybody's chain takes 4 a link, else the pipe sets
      // the pace.
      const Cycle step = needed == 4 ? 1 : 2;
      const Cycle expected =
          warps <= needed ? 4 * (kChain - 1) + step * (warps - 1) : step * (kChain * warps - 1);
      CHECK(took == expected);
    }
  }
}

TEST_CASE("integer multiply-adds take the heavy pipe of an H100, so FP32 keeps the other") {
  // IMAD, FADD by turns: each has a pipe to itself, and the scheduler issues one a cycle.
  const sim::GpuSpec spec = launching_at_once("h100");
  std::string body = "work:\n";
  for (unsigned i = 0; i < 8; ++i)
    body += fmt::format("IMAD R{}, RZ, RZ, RZ\nFADD R{}, RZ, RZ\n", 2 * i, 2 * i + 1);
  TextKernel kernel(body + "end:\n", {.x = 32});
  CHECK(issue_steps(kernel, spec) == std::vector<Cycle>(15, 1));
  // On an A100 both share the one pipe.
  CHECK(issue_steps(kernel, launching_at_once("a100")) == std::vector<Cycle>(15, 2));
}

TEST_CASE("a sub-partition issues one instruction a cycle at most, whatever is ready") {
  // 8 warps a scheduler with work for five pipes.
  const char* body =
      "S2R R0, SR_TID.X\nFADD R1, RZ, RZ\nIADD3 R2, RZ, RZ, RZ\nMUFU.RCP R3, RZ\nLDC R4, c[blockDim.x]\n"
      "LDS R5, [RZ]\nNOP\nIMAD R6, RZ, RZ, RZ\nSTS [RZ], R2";
  for (const char* gpu : {"tiny", "v100", "a100", "h100", "textbook"}) {
    for (const bool visit_every_cycle : {false, true}) {
      const sim::GpuSpec spec = launching_at_once(gpu);
      TextKernel kernel(repeat(body, 5), {.x = std::min(1024U, spec.occupancy.max_threads_per_block)}, {},
                        ".shared words 128");
      const Timeline run = kernel.run(spec, mode(visit_every_cycle));
      std::set<std::pair<unsigned, Cycle>> taken;
      for (const sim::WarpIssued& event : run.issued) {
        taken.emplace(event.slot % spec.sm.sub_partitions, event.cycle);
      }
      INFO(gpu);
      CHECK(taken.size() == run.issued.size());
      CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
    }
  }
}

}  // namespace
}  // namespace heddle::test
