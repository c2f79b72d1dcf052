// How the time of a run divides: starting the kernel, blocks on SMs, and memory that finishes after them.
#pragma once

#include "sim/figures/run_figures.h"

namespace heddle::sim {

/// Shares of a run's time.
struct TimeSplit {
  double launch = 0;      ///< Share of the run's cycles that it takes to start the kernel.
  double unused_sms = 0;  ///< Share of the SMs that get no block.
  double idle = 0;        ///< Share of all SMs' cycles in which they hold no block, for any reason.

  // Shares of the time after the launch, for SMs that get a block. They add up to 1.
  double held = 1;    ///< The SM holds a block.
  double after = 0;   ///< All blocks have ended; memory finishes their requests.
  double uneven = 0;  ///< The SM holds no block while other SMs do.
};

TimeSplit time_split(const RunFigures& figures);

/// The speedup if this share of the time after the launch were saved.
double gain_without(const TimeSplit& time, double share);

}  // namespace heddle::sim
