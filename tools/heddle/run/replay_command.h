// `heddle run` of recorded launches.
#pragma once

#include <vector>

#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// Replays the traces, those of a list in its order, and reports each, and a list as a whole. What a kernel
/// of a list leaves in L2, the next one finds there, and what was copied to the device before it. Of several
/// points of a sweep, each does that by itself. Returns the exit code; throws InputError, KernelFault and
/// UsageError.
int replay_all(std::vector<RunRequest> points);

}  // namespace heddle::command
