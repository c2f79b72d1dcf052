// The report of `heddle validate`.
#pragma once

#include <string>

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// The comparison in the format of the request.
std::string report_text(const ValidateRequest& request, const validate::Results& results);

}  // namespace heddle::command
