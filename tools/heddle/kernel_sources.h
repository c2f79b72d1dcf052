// Launches and traces as a GPU takes them.
#pragma once

#include "isa/exec/live_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/trace/replay_kernel.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// The launch with the GPU's warp size, divergence and tensor arithmetic. `file` must outlive it.
exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file);

/// Instructions that the GPU does not have are timed as others.
trace::ReplayOptions replay_options(const sim::GpuSpec& spec);

}  // namespace heddle::command
