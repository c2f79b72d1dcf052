#include "sim/figures/pipe_figures.h"

#include <algorithm>
#include <optional>

#include "sim/figures/ratio.h"

namespace heddle::sim {

namespace {

double freest(const std::vector<PipeUse>& pipes, const std::vector<std::uint8_t>& of) {
  double least = 1;
  for (const std::uint8_t pipe : of) least = std::min(least, pipes[pipe].utilization);
  return least;
}

/// The use of the least used pipe among those that a class of instructions can take; the maximum over the
/// classes that use this pipe.
double pressure(const std::vector<PipeUse>& pipes, std::size_t pipe, const GpuSpec& spec) {
  std::optional<double> most;
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    const std::vector<std::uint8_t>& choice = spec.sm.timing(static_cast<ir::TimingClass>(i)).pipes;
    if (std::find(choice.begin(), choice.end(), pipe) == choice.end()) continue;
    most = std::max(most.value_or(0), freest(pipes, choice));
  }
  return most.value_or(pipes[pipe].utilization);
}

const PipeUse* most_used(const std::vector<PipeUse>& pipes, double PipeUse::*figure) {
  const auto by_figure = [figure](const PipeUse& a, const PipeUse& b) { return a.*figure < b.*figure; };
  const auto most = std::max_element(pipes.begin(), pipes.end(), by_figure);
  return most == pipes.end() || (*most).*figure == 0 ? nullptr : &*most;
}

}  // namespace

std::vector<PipeUse> pipe_figures(const SmCounters& total, const GpuSpec& spec) {
  std::vector<PipeUse> pipes;
  const std::uint64_t supply = total.active_cycles * spec.sm.sub_partitions;
  for (std::size_t i = 0; i < spec.sm.pipes.size(); ++i) {
    const std::uint64_t busy = i < total.pipe_busy.size() ? total.pipe_busy[i] : 0;
    pipes.push_back({spec.sm.pipes[i].name, quotient(busy, supply), 0});
  }
  for (std::size_t i = 0; i < pipes.size(); ++i) pipes[i].pressure = pressure(pipes, i, spec);
  return pipes;
}

const PipeUse* busiest(const std::vector<PipeUse>& pipes) { return most_used(pipes, &PipeUse::utilization); }

const PipeUse* scarcest(const std::vector<PipeUse>& pipes) { return most_used(pipes, &PipeUse::pressure); }

}  // namespace heddle::sim
