// --sample blocks: times the first blocks of a launch for all of them, where they are a measure of the rest.
#pragma once

#include "sim/config/gpu_spec.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/run/watched_run.h"
#include "tools/launch/launch_file.h"

namespace heddle::command {

/// Runs the launch's first blocks twice, a longer time the second, as tools/sample/block_sample.h says, and
/// extrapolates; or all blocks, where these are too few, or no measure of the rest, and says why. The memory
/// of `file` is then as after the blocks that were executed: all of them if `needs_results`, or if none was
/// left out. `watch` as in run_watched(). Throws KernelFault, also of a block that is executed without time.
WatchedRun run_sample_of_blocks(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                                bool needs_results, const WatchRun* watch);

}  // namespace heddle::command
