// Warps that fill the FP32 pipes (github TapiocaFox/GPU-Project) and the FP64 pipes (RRZE gpu-benches,
// cuda-incore): chains of FMAs, one or more a thread, on one SM.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/config/load.h"
#include "tests/sim/validation/published.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

struct Chains {
  const char* link;    ///< An instruction that reads and writes the register {0}.
  unsigned registers;  ///< Of its result.
  unsigned count;      ///< Independent ones in each thread.
};

/// Cycles of the SM for one link of one warp, of `links` in each.
double cycles_a_link(const sim::GpuSpec& spec, const Chains& chains, unsigned warps, unsigned links) {
  std::string body;
  for (unsigned i = 0; i < links; ++i)
    body += fmt::format(fmt::runtime(chains.link), chains.registers * (i % chains.count));
  std::string start;
  for (unsigned i = 0; i < chains.registers * chains.count; ++i) start += fmt::format("MOV R{}, RZ\n", i);
  TextKernel kernel(start + "work:\n" + body, {.x = 32 * warps});
  const Timeline run = kernel.run(spec);
  Cycle first = kNever;
  Cycle last = 0;
  for (const sim::WarpIssued& event : run.issued) {
    if (event.pc < kernel.pc_of("work")) continue;
    first = std::min(first, event.cycle);
    last = std::max(last, event.cycle);
  }
  return static_cast<double>(last - first) / (links * warps);
}

/// FMAs of all lanes in a cycle: `chains` independent ones in each thread of so many warps.
double throughput(const sim::GpuSpec& spec, unsigned chains, unsigned warps) {
  return 32.0 / cycles_a_link(spec, {"FFMA R{0}, R{0}, 1.5, R{0}\n", 1, chains}, warps, 240);
}

double warps_for_nine_tenths(const sim::GpuSpec& spec, unsigned chains, double peak) {
  unsigned warps = 1;
  while (throughput(spec, chains, warps) < 0.9 * peak) ++warps;
  return warps;
}

TEST_CASE("V2: warps an SM that reach nine tenths of the FP32 peak, and the peak itself") {
  struct Gpu {
    const char* name;
    double lanes;
    double measured_peak;
    double warps[3];
  };
  // TITAN V, RTX 2080 Ti and RTX 4070 have the SMs of these.
  const Gpu gpus[] = {
      {"v100", 64, 63.9, {12, 8, 8}}, {"t4", 64, 63.9, {12, 8, 4}}, {"rtx4090", 128, 119.5, {19.5, 12, 8}}};
  std::vector<Figure> figures;
  for (const Gpu& gpu : gpus) {
    const sim::GpuSpec spec = sim::load_gpu(gpu.name);
    figures.push_back({gpu.name, "FMAs a cycle, 3 chains", gpu.measured_peak, throughput(spec, 3, 24)});
    for (unsigned chains = 1; chains <= 3; ++chains) {
      figures.push_back({gpu.name, fmt::format("warps for nine tenths, chains a thread: {}", chains),
                         gpu.warps[chains - 1], warps_for_nine_tenths(spec, chains, gpu.lanes)});
    }
  }
  check_published("V2", figures);
}

TEST_CASE("V4: cycles of an SM for a DFMA by chains and warps") {
  struct Row {
    unsigned chains;
    unsigned warps;
    double measured;
  };
  // What was measured is a loop that L0 holds; here it is unrolled, and does not fit.
  const sim::GpuSpec spec = sim::load_gpu("v100", {"sm.instruction_cache.l0_bytes=0"});
  std::vector<Figure> figures;
  for (const Row& row : {Row{1, 1, 8.67},
                         {1, 2, 4.29},
                         {1, 4, 2.14},
                         {1, 8, 1.08},
                         {1, 16, 1.03},
                         {2, 1, 4.63},
                         {2, 2, 2.32},
                         {2, 4, 1.16},
                         {2, 8, 1.05},
                         {8, 1, 4.97}}) {
    figures.push_back(
        {"v100", fmt::format("DFMA, {} chains, {} warps", row.chains, row.warps), row.measured,
         cycles_a_link(spec, {"DFMA R{0}, R{0}, 1.5, R{0}\n", 2, row.chains}, row.warps, 2400)});
  }
  check_published("V4", figures);
}

}  // namespace
}  // namespace heddle::test
