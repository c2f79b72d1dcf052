// S6: the scheduling policies on three kernels, in one table.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/config/load.h"
#include "sim/sm/warp_scheduler.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

/// Tiles in shared memory with barriers; arithmetic without end; scattered loads by rows of uneven length.
constexpr const char* kKernels[] = {"matmul_v2", "nbody", "spmv_csr"};

struct Comparison {
  std::string table = "policy     ";
  std::map<std::string, std::vector<sim::RunResult>> runs;  ///< By kernel, one a policy.
};

double issue_efficiency(const sim::RunResult& result, const sim::GpuSpec& spec) {
  return static_cast<double>(result.total.issue_slots.issued) /
         static_cast<double>(result.total.active_cycles * spec.sm.sub_partitions);
}

Comparison compare_policies() {
  Comparison comparison;
  for (const char* kernel : kKernels) comparison.table += fmt::format("{:>20}", kernel);
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
    const sim::GpuSpec spec = sim::load_gpu("a100", {"sms=4", fmt::format("sm.scheduler={}", policy.name)});
    comparison.table += fmt::format("\n{:11}", policy.name);
    for (const char* kernel : kKernels) {
      launch::LaunchFile file = load_example(kernel);
      const sim::RunResult& result = comparison.runs[kernel].emplace_back(run_example(file, spec));
      CHECK(launch::run_checks(file).empty());
      CHECK(test::broken_laws(result, spec) == std::vector<std::string>{});
      comparison.table += fmt::format("{:12} {:5.1f} %", result.cycles, 100 * issue_efficiency(result, spec));
    }
  }
  return comparison;
}

// A policy decides when what is done is done, not what is done; and where warps are many, it decides little.
TEST_CASE("six policies do the same work in different times: cycles, and issue slots used") {
  const Comparison comparison = compare_policies();
  SUCCEED(comparison.table);  // -s prints it
  CHECK(sim::scheduler_policies().size() >= 6);
  for (const auto& [kernel, runs] : comparison.runs) {
    INFO(kernel);
    Cycle least = runs.front().cycles;
    Cycle most = least;
    for (const sim::RunResult& run : runs) {
      CHECK(run.total.warp_instructions == runs.front().total.warp_instructions);
      CHECK(run.total.thread_instructions == runs.front().total.thread_instructions);
      least = std::min(least, run.cycles);
      most = std::max(most, run.cycles);
    }
    CHECK(least < most);
    CHECK(most < 2 * least);
  }
}

// For more than 64 warps in a sub-partition, sets are twice as wide. Here registers allow far fewer.
TEST_CASE("room for more warps than come changes nothing, under any policy") {
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
    for (const char* kernel : kKernels) {
      INFO(policy.name << ", " << kernel);
      const auto run = [&](unsigned most_warps) {
        launch::LaunchFile file = load_example(kernel);
        return run_example(file, sim::load_gpu("a100", {"sms=4", "sm.sub_partitions=2",
                                                        fmt::format("sm.scheduler={}", policy.name),
                                                        fmt::format("occupancy.max_warps={}", most_warps)}));
      };
      const sim::RunResult usual = run(2 * 64);
      const sim::RunResult wide = run(2 * 128);
      CHECK(wide.cycles == usual.cycles);
      CHECK(wide.total.stalls == usual.total.stalls);
      CHECK(wide.total.issue_slots.stalled == usual.total.issue_slots.stalled);
      CHECK(wide.total.eligible_warp_cycles == usual.total.eligible_warp_cycles);
    }
  }
}

}  // namespace
}  // namespace heddle::examples
