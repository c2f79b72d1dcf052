// Kernels that a user measured with Nsight Compute, beside their launch files or traces.
#pragma once

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// By kernel: those of the report that have a launch file of their name, or a trace of their name and shape,
/// in the order of both. Kernels and traces without a partner are named. Throws InputError, also where none
/// has one.
validate::Results compare_ncu_report(const ValidateRequest& request);

}  // namespace heddle::command
