// Compares the results of the measuring kit with simulations.
#pragma once

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// Compares a file of the measuring kit, by metric, on the GPU that matches. Throws InputError, UsageError.
validate::Results compare_measured(const ValidateRequest& request);

}  // namespace heddle::command
