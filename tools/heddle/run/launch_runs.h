// `heddle run` of launch files.
#pragma once

#include <vector>

#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// Simulates all launches at each point of a sweep, or at the only one, checks their results, and reports.
/// Returns the exit code; throws InputError, KernelFault and UsageError.
int run_launches(std::vector<RunRequest> points);

}  // namespace heddle::command
