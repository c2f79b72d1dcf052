// Reads Nsight Compute's CSV (--csv --page raw --print-units base), which has one row per kernel in launch
// order.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "tools/hardware/kit/report.h"

namespace kit {

/// The profiler's figures for one kernel launch.
struct ProfiledKernel {
  std::string function;  ///< As Nsight Compute prints it, with or without its parameters.
  Named metrics;         ///< The metrics of metrics.def that the file has, in the units of metrics.def.
};

/// Empty if the file has no kernel. Nsight Compute's own messages are skipped.
std::vector<ProfiledKernel> read_profile(std::istream& csv);

/// The metrics to request from Nsight Compute, separated by commas. Stalls of the warpgroup unit exist from
/// compute capability 9.0 on.
std::string profiler_metrics(int capability);

}  // namespace kit
