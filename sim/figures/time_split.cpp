#include "sim/figures/time_split.h"

#include <algorithm>

namespace heddle::sim {

TimeSplit time_split(const RunFigures& figures) {
  TimeSplit time;
  time.launch = std::min(1.0, ratio(figures.kernel_launch_cycles, figures.cycles).value_or(0));
  time.unused_sms = ratio(figures.sms - figures.active_sms, figures.sms).value_or(0);
  const std::uint64_t active = figures.total.active_cycles;
  time.idle = 1 - ratio(active, figures.cycles * figures.sms).value_or(0);
  const std::uint64_t cycles = figures.cycles - std::min(figures.cycles, figures.kernel_launch_cycles);
  if (cycles == 0 || figures.active_sms == 0) return time;
  time.held = std::min(1.0, *ratio(active, cycles * figures.active_sms));
  time.after = std::min(1 - time.held, *ratio(figures.after_blocks, cycles));
  time.uneven = 1 - time.held - time.after;
  return time;
}

double gain_without(const TimeSplit& time, double share) {
  constexpr double kLeastLeft = 1e-6;
  return 1 / std::max(kLeastLeft, 1 - (1 - time.launch) * share);
}

}  // namespace heddle::sim
