// The files that `heddle run` writes, checked before the first run.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/run/run_request.h"

namespace heddle::command {

/// All files that the request names to be written.
std::vector<std::string> outputs_of(const RunRequest& request);

/// Throws InputError if the report cannot be written. A buffer that cannot be saved does not prevent the
/// report; the user is told before and after the run.
void require_writable_outputs(const RunRequest& request);

/// Throws InputError if an output file is also an input, or is to be written twice.
void require_own_outputs(const RunRequest& request, const std::vector<std::string>& inputs);

}  // namespace heddle::command
