// A launch file on its way into a simulation.
#pragma once

#include "isa/exec/live_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/gpu/sample.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// The launch as this GPU executes it. The file must live as long.
exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file);

/// The blocks that the sample leaves out, for their results. They come after those of the sample, so that how
/// long the sample takes does not depend on whether anybody asks for results.
void execute_rest(const sim::GpuSpec& spec, const sim::SmSample& sample, launch::LaunchFile& file);

}  // namespace heddle::command
