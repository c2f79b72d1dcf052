// Compares kernels that a user measured with Nsight Compute with simulations of their launch files or traces.
#pragma once

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// Compares, by kernel, all kernels of the report that have a launch file of their name, or a trace of their
/// name and shape; both are matched in order. Kernels and traces without a counterpart are listed. Throws
/// InputError, also if no kernel has a counterpart.
validate::Results compare_ncu_report(const ValidateRequest& request);

}  // namespace heddle::command
