// The pointer chase shows each level's latency at the footprints that the level holds.
#include <algorithm>

#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

/// Cycles from hop to hop in the second half of the run.
std::vector<Cycle> late_hops(const sim::GpuSpec& spec, const std::string& footprint, const std::string& hops,
                             const Overrides& more = {}) {
  Overrides params = {"footprint=" + footprint, "hops=" + hops};
  params.insert(params.end(), more.begin(), more.end());
  launch::LaunchFile file = load_example("pointer_chase", params);
  const test::Timeline run = trace_example(file, spec);
  const std::vector<Cycle> hop_cycles = test::steps(run.cycles_at(pc_of(file, "loop")));
  return {hop_cycles.begin() + static_cast<std::ptrdiff_t>(hop_cycles.size() / 2), hop_cycles.end()};
}

/// A hop is IMAD.WIDE, then its LDG, of another unit. The loop's other instructions take the way LDG, IADD3,
/// ISETP, BRA, or what the LDG waits for IMAD.WIDE, 6 cycles or more, one for the LDG, alu for IADD3 to
/// ISETP, guard to BRA, branch to the next hop.
Cycle hop(const sim::GpuSpec& spec, Cycle load_latency) {
  const auto latency = [&spec](ir::TimingClass timing_class) {
    return Cycle{spec.sm.timing(timing_class).latency};
  };
  const Cycle wide = latency(ir::TimingClass::ImadWide) + spec.sm.bypass.memory;
  const Cycle loop =
      wide + 1 + latency(ir::TimingClass::Alu) + spec.sm.guard_latency + latency(ir::TimingClass::Branch);
  return std::max(wide + load_latency, loop);
}

void check_all(const std::vector<Cycle>& hops, Cycle expected) {
  REQUIRE_FALSE(hops.empty());
  CHECK(*std::min_element(hops.begin(), hops.end()) == expected);
  CHECK(*std::max_element(hops.begin(), hops.end()) == expected);
}

/// With two partitions of L2, about half of the hops are to the far one.
void check_near_and_far(const std::vector<Cycle>& hops, Cycle near, const sim::L2Spec& l2) {
  if (l2.partitions == 1) {
    check_all(hops, near);
    return;
  }
  const auto count = static_cast<std::ptrdiff_t>(hops.size());
  const auto nears = std::count(hops.begin(), hops.end(), near);
  CHECK(nears + std::count(hops.begin(), hops.end(), near + l2.far_latency) == count);
  CHECK(std::abs(2 * nears - count) <= count / 10);  // of 1000, three standard deviations
}

TEST_CASE("a chain within L1 takes L1's latency a hop") {
  for (const char* gpu : {"v100", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    check_all(late_hops(spec, "16384", "512"), hop(spec, spec.l1.latency));
  }
  const sim::GpuSpec tiny = sim::load_gpu("tiny");
  check_all(late_hops(tiny, "4096", "128"), hop(tiny, tiny.l1.latency));
}

TEST_CASE("a chain beyond L1 and within L2 takes L2's latency a hop") {
  for (const char* gpu : {"v100", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    check_all(late_hops(spec, "1048576", "20000"), hop(spec, spec.l2.latency));
  }
  const sim::GpuSpec tiny = sim::load_gpu("tiny");
  check_all(late_hops(tiny, "16384", "384"), 30 + 5);
}

TEST_CASE("a chain beyond L2 takes DRAM's latency a hop") {
  for (const char* gpu : {"v100", "a100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    // No link a second time.
    check_near_and_far(late_hops(spec, "134217728", "2000"), hop(spec, spec.dram.latency), spec.l2);
  }
  const sim::GpuSpec tiny = sim::load_gpu("tiny");
  check_all(late_hops(tiny, "1048576", "20000"), 60 + 5);  // twice and a half through
}

TEST_CASE("the order of a chain does not change its latencies") {
  const Overrides scattered = {"multiplier=1664525", "increment=1013904223"};
  const sim::GpuSpec spec = sim::load_gpu("h100");
  check_all(late_hops(spec, "16384", "512", scattered), hop(spec, 33));
  check_all(late_hops(spec, "1048576", "20000", scattered), hop(spec, 262));
}

}  // namespace
}  // namespace heddle::examples
