// Kernels that were measured elsewhere, beside the simulation of their launch files.
#pragma once

#include "tools/heddle/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// By metric: a file of the measuring kit, on the GPU that matches. Throws InputError, UsageError.
validate::Results compare_measured(const ValidateRequest& request);

/// By kernel: a report of Nsight Compute, beside the launch files that the request names for its kernels.
validate::Results compare_ncu_report(const ValidateRequest& request);

}  // namespace heddle::command
