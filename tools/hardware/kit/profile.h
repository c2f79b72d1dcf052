// Nsight Compute's CSV (--csv --page raw --print-units base), a row for each kernel in the order of their
// launches.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "tools/hardware/kit/report.h"

namespace kit {

struct ProfiledKernel {
  std::string function;  ///< As Nsight Compute prints it, with or without its parameters.
  Named metrics;         ///< Those of metrics.def that the file has, in our units.
};

/// Empty where the file holds no kernel: Nsight Compute's own messages are skipped.
std::vector<ProfiledKernel> read_profile(std::istream& csv);

/// What Nsight Compute is to be asked for: names joined by commas. Stalls of the warpgroup unit exist
/// from 9.0 on.
std::string profiler_metrics(int capability);

}  // namespace kit
