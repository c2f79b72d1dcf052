// `heddle run` for recorded launches.
#pragma once

#include <vector>

#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// Replays the traces, and the traces of a list in order, and reports each of them and a list as a whole. L2
/// keeps its contents from one kernel of a list to the next; copies to the device in between change it, too.
/// Each point of a sweep starts anew. Returns the exit code; throws InputError, KernelFault and UsageError.
int replay_all(std::vector<RunRequest> points);

}  // namespace heddle::command
