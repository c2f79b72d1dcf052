// The table at the end of a program, as profilers print one: what its kernels and copies took.
#pragma once

#include <string>

#include "sim/config/gpu_spec.h"
#include "tools/cuda/runtime/launch_log.h"

namespace heddle::cudart {

/// Kernels by time, the longest first, then copies. Shares are of all times together, which may have
/// overlapped; `clock_us` is what the simulated GPU's clock says in the end.
std::string program_summary(const LaunchLog& log, const sim::GpuSpec& gpu, double clock_us);

}  // namespace heddle::cudart
