// How the time of a run divides: starting the kernel, blocks on SMs, and memory that goes on after them.
#pragma once

#include "sim/figures/run_figures.h"

namespace heddle::sim {

struct TimeSplit {
  double launch = 0;      ///< Share of the run's cycles that starting the kernel takes.
  double unused_sms = 0;  ///< Share of the SMs that get no block.
  double idle = 0;        ///< Share of all SMs' cycles in which they hold no block, for whatever reason.

  // The time after the launch of SMs that get a block. The three add up to 1.
  double held = 1;    ///< The SM holds a block.
  double after = 0;   ///< All blocks have ended; memory finishes what they have asked for.
  double uneven = 0;  ///< The SM holds none while others do.
};

TimeSplit time_split(const RunFigures& figures);

/// How many times as fast the run would be without this share of its time after the launch.
double gain_without(const TimeSplit& time, double share);

}  // namespace heddle::sim
