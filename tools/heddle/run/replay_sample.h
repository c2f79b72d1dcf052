// --sample kernels: times some launches of a list of traces for all of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/journal/outcome.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/run/watched_run.h"
#include "tools/heddle/trace/trace_list.h"

namespace heddle::command {

/// Groups the launches by what their traces say, and replays those that tools/sample/launch_sample.h chooses,
/// each after the launch before it, which warms L2. L2 keeps its contents from one to the next. Returns the
/// timed ones in the order of the list, with the launches that each stands for. If one fails, it alone is
/// returned, because nothing can stand for what it should have stood for. `watch` as in run_watched(). Throws
/// InputError if the instructions of a trace cannot be counted.
RunOutcomes replay_sample(const RunRequest& request, const sim::GpuSpec& spec,
                          const std::vector<TracedKernel>& kernels, const WatchRun* watch);

/// The sample that these launches are, from what they stand for; nothing if they stand only for themselves.
std::optional<report::ListSample> list_sample_of(std::span<const report::Summary> kernels);

}  // namespace heddle::command
