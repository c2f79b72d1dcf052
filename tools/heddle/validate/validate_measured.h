// What the measuring kit measured, beside the simulation of the same.
#pragma once

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// By metric: a file of the measuring kit, on the GPU that matches. Throws InputError, UsageError.
validate::Results compare_measured(const ValidateRequest& request);

}  // namespace heddle::command
