#include "sim/figures/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/figures/time_split.h"

namespace heddle::sim {

namespace {

/// From this use on, a bandwidth explains why warps wait. Queues fill before the last tenths are used.
constexpr double kBusyBandwidth = 0.7;
constexpr double kBusyPipe = 0.85;

/// The limit by a resource of the whole GPU, which is available during the whole run.
Limit shared_limit(std::string kind, std::string name, double used, double reached, const TimeSplit& time) {
  const double running = std::max(1e-9, 1 - time.launch);
  return {std::move(kind), std::move(name), used, std::min(1.0, used / (reached * running)), kBusyBandwidth};
}

/// The limit by a resource of each SM. Its figure is relative to the time in which the SM holds a block.
Limit sm_limit(std::string kind, std::string name, double used, const TimeSplit& time) {
  return {std::move(kind), std::move(name), used, used * time.held, kBusyPipe * time.held};
}

}  // namespace

std::vector<Limit> limits_of(const RunFigures& figures) {
  const TimeSplit time = time_split(figures);
  const MemoryFigures& memory = figures.memory;
  std::vector<Limit> limits = {
      shared_limit("dram_bandwidth", "DRAM bandwidth", memory.dram_utilization, memory.dram_efficiency, time),
      shared_limit("l2_bandwidth", "L2 bandwidth", memory.l2_utilization.value_or(0), memory.l2_efficiency,
                   time),
      shared_limit("l2_fabric", "the path between L2's partitions", memory.l2_fabric_utilization, 1, time)};
  if (const PipeUse* pipe = scarcest(figures.pipes)) {
    limits.push_back(sm_limit("pipe", fmt::format("the {} pipe", pipe->name), pipe->pressure, time));
  }
  limits.push_back(sm_limit("l1_data_pipe", "the data pipe of L1 and shared memory",
                            memory.l1_data_pipe_utilization, time));
  return limits;
}

Limit next_limit(const RunFigures& figures, const Limit& without) {
  std::vector<Limit> others = limits_of(figures);
  std::erase_if(others, [&](const Limit& limit) { return limit.kind == without.kind; });
  others.push_back(sm_limit("issue", "issue efficiency", figures.issue_efficiency, time_split(figures)));
  return *std::max_element(others.begin(), others.end(),
                           [](const Limit& a, const Limit& b) { return a.pressure < b.pressure; });
}

}  // namespace heddle::sim
