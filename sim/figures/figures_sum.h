// The figures of many launches added up one by one, so that no launch's own figures have to be kept.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/figures/run_figures.h"
#include "sim/ledger/sm_counters.h"

namespace heddle::sim {

/// Launches of GPUs that are alike, as if they had run one after another.
class FiguresSum {
 public:
  /// `sms`: what each SM counted in the launch.
  void add(const RunFigures& launch, const std::vector<SmCounters>& sms);
  void add(const FiguresSum& other);

  [[nodiscard]] std::uint64_t launches() const { return launches_; }
  [[nodiscard]] Cycle cycles() const { return sum_.cycles; }
  /// What figures_of_all() says of all that were added.
  [[nodiscard]] RunFigures figures(const GpuSpec& spec) const;

 private:
  void add(const RunFigures& part, double weighted_occupancy, const std::vector<SmCounters>& sms);

  std::uint64_t launches_ = 0;
  RunFigures sum_;                 // of its members only those that add up
  double weighted_occupancy_ = 0;  // theoretical, by active cycles
  std::vector<SmCounters> sms_;
};

}  // namespace heddle::sim
