// `heddle run` of launch files.
#pragma once

#include <vector>

#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// Simulates all launches at each point of a sweep, or once without a sweep, checks their results, and writes
/// the report. Returns the exit code; throws InputError, KernelFault and UsageError.
int run_launches(std::vector<RunRequest> points);

}  // namespace heddle::command
