// Matrix instructions on the timing model: the tensor pipe, loads of matrices, and GPUs without them.
#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::StallReason;

/// Published: interval and latency of the four shapes on each GPU, 0 where it does not have them.
struct Published {
  const char* gpu;
  struct {
    Cycle interval;
    Cycle latency;
  } f32_16816, f16_16816, f32_1688, f16_1688;
};

// A100, RTX 4090, H100: arXiv 2501.12084, Table 7, to the next cycle. RTX 3080: 33 to 34 and 24 in
// DocumentSASS. B200: 20.1 on B300. RTX 5090, T4: ptxas 13.0. Intervals: products over what the tensor cores
// of a sub-partition make.
constexpr Published kPublished[] = {
    {"t4", {0, 0}, {0, 0}, {8, 14}, {8, 14}},           {"a100", {8, 26}, {8, 25}, {4, 18}, {4, 18}},
    {"rtx3080", {32, 33}, {16, 24}, {16, 19}, {8, 18}}, {"rtx4090", {32, 33}, {16, 25}, {16, 19}, {8, 18}},
    {"l4", {32, 33}, {16, 25}, {16, 19}, {8, 18}},      {"h100", {6, 24}, {6, 24}, {4, 16}, {4, 16}},
    {"h200", {6, 24}, {6, 24}, {4, 16}, {4, 16}},       {"b200", {8, 20}, {8, 20}, {4, 16}, {4, 16}},
    {"rtx5090", {32, 29}, {16, 29}, {16, 19}, {8, 18}},
};

/// The steps between the instructions of one warp from label `work` on.
std::vector<Cycle> work_steps(const sim::GpuSpec& spec, const std::string& work, unsigned count) {
  TextKernel kernel("work:\n" + work, {.x = 32});
  const std::vector<Cycle> cycles = kernel.run(spec).cycles(0);
  const auto first = cycles.begin() + kernel.pc_of("work");
  return steps({first, first + count});
}

void check_shape(const sim::GpuSpec& spec, const std::string& mnemonic, Cycle interval, Cycle latency) {
  if (interval == 0) return;
  CAPTURE(spec.name, mnemonic);
  constexpr unsigned kCount = 12;
  std::string independent;
  for (unsigned i = 0; i < kCount; ++i) independent += fmt::format("{} R{}, RZ, RZ, RZ\n", mnemonic, 4 * i);
  CHECK(work_steps(spec, independent, kCount) == std::vector<Cycle>(kCount - 1, interval));
  // Through the sums, which the first one of the chain finds nowhere else.
  const std::string first = fmt::format("{} R4, RZ, RZ, RZ\n", mnemonic);
  const std::string chain = first + repeat(fmt::format("{} R4, RZ, RZ, R4", mnemonic), kCount - 1);
  CHECK(work_steps(spec, chain, kCount) == std::vector<Cycle>(kCount - 1, std::max(interval, latency)));
}

TEST_CASE("matrix products issue at the interval of the tensor pipe, chains of them at their latency") {
  for (const Published& row : kPublished) {
    const sim::GpuSpec spec = sim::load_gpu(row.gpu);
    check_shape(spec, "HMMA.16816.F32", row.f32_16816.interval, row.f32_16816.latency);
    check_shape(spec, "HMMA.16816.F32.BF16", row.f32_16816.interval, row.f32_16816.latency);
    check_shape(spec, "HMMA.16816.F16", row.f16_16816.interval, row.f16_16816.latency);
    check_shape(spec, "HMMA.1688.F32", row.f32_1688.interval, row.f32_1688.latency);
    check_shape(spec, "HMMA.1688.F16", row.f16_1688.interval, row.f16_1688.latency);
  }
}

TEST_CASE("any register of a product holds back who reads it or writes it") {
  // H100: 24 cycles from the product to each of its four registers.
  const sim::GpuSpec spec = sim::load_gpu("h100");
  for (unsigned i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(work_steps(spec, fmt::format("HMMA.16816.F32 R4, RZ, RZ, RZ\nMOV R0, R{}\n", 4 + i), 2) ==
          std::vector<Cycle>{24});
  }
  CHECK(work_steps(spec, "HMMA.16816.F32 R4, RZ, RZ, RZ\nMOV R7, RZ\n", 2) == std::vector<Cycle>{24});
  CHECK(work_steps(spec, "HMMA.16816.F32 R4, RZ, RZ, RZ\nMOV R8, RZ\n", 2) == std::vector<Cycle>{1});
}

TEST_CASE("a chain of products waits, independent ones find their pipe busy") {
  const sim::GpuSpec spec = sim::load_gpu("a100");
  const auto stalls = [&](const std::string& body) {
    TextKernel kernel(body, {.x = 32});
    const Timeline run = kernel.run(spec);
    CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
    return run.result.total.stalls;
  };
  // 26 cycles from one to the next, of which it issues in one.
  const sim::StallCounts chain =
      stalls("HMMA.16816.F32 R4, RZ, RZ, RZ\n" + repeat("HMMA.16816.F32 R4, RZ, RZ, R4", 10));
  CHECK(chain[StallReason::Wait] == 10 * 25);
  CHECK(chain[StallReason::MathPipeThrottle] == 0);
  std::string independent;
  for (unsigned i = 0; i < 11; ++i) independent += fmt::format("HMMA.16816.F32 R{}, RZ, RZ, RZ\n", 4 * i);
  const sim::StallCounts busy = stalls(independent);
  CHECK(busy[StallReason::Wait] == 0);
  CHECK(busy[StallReason::MathPipeThrottle] == 10 * 7);
}

TEST_CASE("four accumulators of one warp keep an A100's tensor pipe as busy as four warps with one") {
  // 26 cycles of latency at one product in 8: from the fourth on, nobody waits but for the pipe.
  const sim::GpuSpec spec = sim::load_gpu("a100");
  constexpr unsigned kRounds = 32;
  for (const unsigned accumulators : {1U, 2U, 3U, 4U, 6U}) {
    std::string body;
    for (unsigned round = 0; round < kRounds; ++round) {
      for (unsigned i = 0; i < accumulators; ++i) {
        body += fmt::format("HMMA.16816.F32 R{0}, RZ, RZ, {1}\n", 4 * i,
                            round == 0 ? "RZ" : fmt::format("R{}", 4 * i));
      }
    }
    const std::vector<Cycle> gaps = work_steps(spec, body, kRounds * accumulators);
    Cycle took = 0;
    for (const Cycle gap : gaps) took += gap;
    const Cycle round = std::max<Cycle>(26, 8 * accumulators);
    CAPTURE(accumulators);
    CHECK(took == round * (kRounds - 1) + 8 * (accumulators - 1));
  }
}

/// Cycles from an LDSM, whose lane l names the row at `stride` x l, to who needs the last of its registers.
Cycle matrix_latency(const sim::GpuSpec& spec, unsigned matrices, unsigned stride) {
  const char* counts[] = {"", "", ".2", "", ".4"};
  const std::string load = fmt::format("LDSM.16.M88{} R4, [R0]\n", counts[matrices]);
  TextKernel kernel(fmt::format("S2R R0, SR_LANEID\nIMAD R0, R0, {:#x}, RZ\nload:\n", stride) + load +
                        fmt::format("MOV R2, R{}\n", 3 + matrices),
                    {.x = 32}, {}, fmt::format(".shared tile {}", 32 * stride));
  const Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
  const Pc at = kernel.pc_of("load");
  return run.cycles(0)[at + 1] - run.cycles(0)[at];
}

TEST_CASE("each matrix is a pass over the banks, and conflicts are those of its eight rows") {
  for (const char* gpu : {"a100", "h100", "tiny"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Cycle latency = spec.sm.timing(ir::TimingClass::LoadShared).latency;
    for (const unsigned matrices : {1U, 2U, 4U}) {
      CAPTURE(gpu, matrices);
      CHECK(matrix_latency(spec, matrices, 16) == latency + matrices - 1);        // rows side by side
      CHECK(matrix_latency(spec, matrices, 16 + 128) == latency + matrices - 1);  // and padded
      CHECK(matrix_latency(spec, matrices, 32) == latency + 2 * matrices - 1);    // in every other four banks
      CHECK(matrix_latency(spec, matrices, 64) == latency + 4 * matrices - 1);
      CHECK(matrix_latency(spec, matrices, 128) == latency + 8 * matrices - 1);  // all in the same four
    }
  }
}

TEST_CASE("matrices that are loaded are counted as passes over the banks") {
  TextKernel kernel("S2R R0, SR_LANEID\nSHF.L.U32 R0, R0, 0x4, RZ\nLDSM.16.MT88.4 R4, [R0]\nMOV R2, R7\n",
                    {.x = 32}, {}, ".shared tile 512");
  const sim::SmCounters total = kernel.run(sim::load_gpu("h100")).result.total;
  CHECK(total.memory.shared_load_requests == 1);
  CHECK(total.memory.shared_load_passes == 4);
}

TEST_CASE("a GPU without an instruction refuses kernels that have it") {
  TextKernel kernel("NOP\nHMMA.16816.F32 R4, RZ, RZ, RZ\nHMMA.1688.F32 R4, RZ, RZ, RZ\n", {.x = 32});
  const auto refused = [&](const char* gpu) {
    try {
      kernel.run(sim::load_gpu(gpu));
    } catch (const InputError& error) {
      return error.list();
    }
    return std::vector<Diagnostic>{};
  };
  CHECK(refused("a100").empty());
  CHECK(refused("v100").size() == 2);
  CHECK(refused("p100").size() == 2);
  const std::vector<Diagnostic> turing = refused("t4");
  REQUIRE(turing.size() == 1);
  CHECK(turing[0].message.find("instruction 1: GPU 't4' has no such instruction (its sm.instructions."
                               "tensor_16816_f32 is none)") != std::string::npos);
}

}  // namespace
}  // namespace heddle::test
