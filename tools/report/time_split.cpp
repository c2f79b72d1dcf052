#include "tools/report/time_split.h"

#include <algorithm>

namespace heddle::report {

TimeSplit time_split(const Summary& summary) {
  TimeSplit time;
  time.launch = std::min(1.0, ratio(summary.kernel_launch_cycles, summary.cycles).value_or(0));
  time.unused_sms = ratio(summary.sms - summary.active_sms, summary.sms).value_or(0);
  const std::uint64_t active = summary.total.active_cycles;
  time.idle = 1 - ratio(active, summary.cycles * summary.sms).value_or(0);
  const std::uint64_t cycles = summary.cycles - std::min(summary.cycles, summary.kernel_launch_cycles);
  if (cycles == 0 || summary.active_sms == 0) return time;
  time.held = std::min(1.0, *ratio(active, cycles * summary.active_sms));
  time.after = std::min(1 - time.held, *ratio(summary.after_blocks, cycles));
  time.uneven = 1 - time.held - time.after;
  return time;
}

double gain_without(const TimeSplit& time, double share) {
  constexpr double kLeastLeft = 1e-6;
  return 1 / std::max(kLeastLeft, 1 - (1 - time.launch) * share);
}

}  // namespace heddle::report
