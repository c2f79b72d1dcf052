// Compares the microbenchmarks of the measuring kit with their counterparts in tests/validation/kit.
#pragma once

#include <string>

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::command {

/// Adds a group for each suite of the kit. Figures that no suite has are listed with the reason. Throws
/// InputError.
void compare_figures(const ValidateRequest& request, const validate::MeasuredKernels& measured,
                     const std::string& gpu, const std::string& source, validate::Results& results);

}  // namespace heddle::command
