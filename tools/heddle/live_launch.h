// A launch file on its way into a simulation.
#pragma once

#include "isa/exec/live_source.h"
#include "sim/config/gpu_spec.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// The launch as this GPU executes it. The file must live as long.
exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file);

}  // namespace heddle::command
