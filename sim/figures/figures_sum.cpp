#include "sim/figures/figures_sum.h"

#include <fmt/format.h>

namespace heddle::sim {

void FiguresSum::add(const RunFigures& part, double weighted_occupancy, const std::vector<SmCounters>& sms) {
  sum_.cycles += part.cycles;
  sum_.kernel_launch_cycles += part.kernel_launch_cycles;
  sum_.after_blocks += part.after_blocks;
  sum_.total += part.total;
  sum_.ran_beside_others |= part.ran_beside_others;
  weighted_occupancy_ += weighted_occupancy;
  if (sms_.size() < sms.size()) sms_.resize(sms.size());
  for (std::size_t i = 0; i < sms.size(); ++i) sms_[i] += sms[i];
}

void FiguresSum::add(const RunFigures& launch, const std::vector<SmCounters>& sms) {
  ++launches_;
  add(launch, launch.theoretical_occupancy * static_cast<double>(launch.total.active_cycles), sms);
}

void FiguresSum::add(const FiguresSum& other) {
  launches_ += other.launches_;
  add(other.sum_, other.weighted_occupancy_, other.sms_);
}

RunFigures FiguresSum::figures(const GpuSpec& spec) const {
  RunFigures all = sum_;
  const auto active = static_cast<double>(sum_.total.active_cycles);
  all.theoretical_occupancy = active > 0 ? weighted_occupancy_ / active : 0;
  const RunFigures* const one = &all;
  RunFigures figures = figures_of_all({&one, 1}, sms_, spec);
  figures.kernel = fmt::format("{} launches", launches_);
  return figures;
}

}  // namespace heddle::sim
