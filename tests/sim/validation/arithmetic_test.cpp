// Warps that fill the FP32 pipes (github TapiocaFox/GPU-Project): chains of FMAs, one to three a thread, on
// one SM.
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/load.h"
#include "tests/sim/validation/published.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

/// FMAs of all lanes in a cycle: `chains` independent ones in each thread of so many warps.
double throughput(const sim::GpuSpec& spec, unsigned chains, unsigned warps) {
  constexpr unsigned kLinks = 240;
  std::string body;
  for (unsigned i = 0; i < kLinks; ++i) body += fmt::format("FFMA R{0}, R{0}, 1.5, R{0}\n", i % chains);
  std::string start;
  for (unsigned i = 0; i < chains; ++i) start += fmt::format("MOV R{}, RZ\n", i);
  TextKernel kernel(start + "work:\n" + body, {.x = 32 * warps});
  const Timeline run = kernel.run(spec);
  Cycle first = kNever;
  Cycle last = 0;
  for (const sim::WarpIssued& event : run.issued) {
    if (event.pc < kernel.pc_of("work")) continue;
    first = std::min(first, event.cycle);
    last = std::max(last, event.cycle);
  }
  return 32.0 * kLinks * warps / static_cast<double>(last - first);
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

}  // namespace
}  // namespace heddle::test
