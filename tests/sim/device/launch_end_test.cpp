// A launch lasts until its last block has ended and memory has done what it was asked for.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "sim/config/load.h"
#include "tests/support/both_modes.h"

namespace heddle::test {
namespace {

constexpr const char* kAddress = "LDC.64 R2, c[data]\nIADD3 R3, R3, RZ, RZ\n";
/// The line is in L2 from here on, and in registers.
constexpr const char* kReadFirst = "LDG.E R4, [R2.64]\nMOV R4, R4\n";

Timeline run_body(const std::string& body, const sim::GpuSpec& spec, unsigned threads = 32) {
  TextKernel kernel(kAddress + body, {.x = threads}, {}, ".param data ptr");
  kernel.add_buffer("data", 128);
  return run_both(kernel, spec);
}

Cycle issue_of(const Timeline& run, std::size_t from_end) {
  const std::vector<Cycle> cycles = run.cycles(0);
  return cycles[cycles.size() - from_end];
}

TEST_CASE("a launch ends when L2 has taken its last store") {
  for (const char* gpu : {"h100", "a100", "v100", "tiny"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Timeline run = run_body("STG.E [R2.64], RZ", spec);
    const double sector = 1 / (spec.l2.sectors_per_cycle * spec.l2.efficiency);
    const Cycle there = issue_of(run, 2) + spec.sm.mio.front_latency + spec.l2.request_latency;
    CHECK(run.result.cycles == there + static_cast<Cycle>(std::ceil(sector)));
  }
}

TEST_CASE("a launch ends when L2 has carried out its last update, lane by lane") {
  for (const char* gpu : {"h100", "a100", "v100", "rtx3080"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    for (const unsigned updates : {1U, 2U, 5U}) {
      for (const unsigned threads : {17U, 32U}) {  // more than come in the meantime
        INFO(gpu << ", " << updates << " updates by " << threads << " lanes");
        const Timeline run =
            run_body(kReadFirst + repeat("RED.E.ADD.STRONG.GPU [R2.64], R4", updates), spec, threads);
        const Cycle there = issue_of(run, updates + 1) + spec.sm.mio.front_latency + spec.l2.request_latency;
        CHECK(run.result.cycles == there + Cycle{updates} * threads * spec.l2.atomic_interval);
      }
    }
  }
}

TEST_CASE("to the other partition, stores and updates go as long") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  std::set<Cycle> of_updates;
  for (unsigned line = 0; line < 16; ++line) {
    const std::string at = fmt::format("[R2.64+{:#x}]", 4096 * line);
    TextKernel kernel(
        fmt::format("{}LDG.E R4, {}\nMOV R4, R4\nRED.E.ADD.STRONG.GPU {}, R4", kAddress, at, at), {.x = 32},
        {}, ".param data ptr");
    kernel.add_buffer("data", 65536);
    const Timeline run = kernel.run(spec);
    of_updates.insert(run.result.cycles - issue_of(run, 2));
  }
  CHECK(of_updates.size() == 1);
}

TEST_CASE("an update of what L2 does not hold waits for DRAM before") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"l2.partitions=1"});
  const std::string update = "RED.E.ADD.STRONG.GPU [R2.64], RZ";
  const Timeline cold = run_body(update, spec);
  const Timeline warm = run_body(kReadFirst + update, spec);
  const Cycle of_cold = cold.result.cycles - issue_of(cold, 2);
  const Cycle of_warm = warm.result.cycles - issue_of(warm, 2);
  // The lanes' turns at the slice are over before the data come.
  const Cycle turns = 32 * Cycle{spec.l2.atomic_interval};
  CHECK(of_cold == of_warm - turns + spec.dram.latency - spec.l2.latency + turns - 1);
}

TEST_CASE("a launch ends when what it loaded has come, whether or not it is looked at") {
  for (const auto& [gpu, set] : {std::pair{"h100", "cold.enabled=false"},
                                 {"h100", "cold.enabled=true"},
                                 {"v100", "cold.enabled=true"},
                                 {"tiny", "cold.enabled=false"}}) {
    INFO(gpu << ", " << set);
    const sim::GpuSpec spec = sim::load_gpu(gpu, {set});
    const Timeline unread = run_body("LDG.E R4, [R2.64]", spec);
    const Timeline read = run_body("LDG.E R4, [R2.64]\nMOV R5, R4", spec);
    CHECK(unread.result.cycles - issue_of(unread, 2) == issue_of(read, 2) - issue_of(read, 3));
  }
}

TEST_CASE("many updates of one word take as long as all their lanes, fence or none") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const auto cycles_with = [&spec](const std::string& end) {
    TextKernel kernel(kAddress + ("RED.E.ADD.STRONG.GPU [R2.64], R2\n" + end), {.x = 256}, {.x = 264},
                      ".param data ptr");
    kernel.add_buffer("data", 128);
    return kernel.run(spec).result.cycles;
  };
  const Cycle lanes = Cycle{256} * 264 * spec.l2.atomic_interval;
  CHECK(cycles_with("") >= spec.dispatch.kernel_launch + lanes);
  CHECK(cycles_with("") <= cycles_with("MEMBAR.SC.GPU"));
  CHECK(cycles_with("MEMBAR.SC.GPU") <= cycles_with("") + 1000);
}

}  // namespace
}  // namespace heddle::test
