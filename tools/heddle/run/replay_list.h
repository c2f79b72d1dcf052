// Replays the kernels of a list of traces, one after another, on one device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/journal/outcome.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/run/watched_run.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

/// Replays a kernel by calling `replay` once, and returns what became of it.
using TakeReplay =
    std::function<RunOutcome(const TracedKernel& kernel, const std::function<RunOutcome()>& replay)>;

/// Replays the kernels of a list in order. Each finds in L2 what those before it left there. For the kernels
/// after it, a failed kernel did not run. `timeline` gets the timelines; `watch` as in run_watched().
void replay_list(const RunRequest& request, const sim::GpuSpec& spec,
                 const std::vector<TracedKernel>& kernels, const WatchRun* watch, std::string& timeline,
                 const TakeReplay& take);

}  // namespace heddle::command
