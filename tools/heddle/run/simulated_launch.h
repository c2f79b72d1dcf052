// Simulates one launch, as the command line wants it: whole, or on some SMs.
#pragma once

#include "sim/config/gpu_spec.h"
#include "tools/heddle/run/recording.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/run/watched_run.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// `recording`, if not null, gets the launch as a trace. `watch` as in run_watched(). Throws KernelFault.
WatchedRun simulate_launch(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                           Recording* recording, const WatchRun* watch);

}  // namespace heddle::command
