// Runs the cases of suites and compares the results with the measured values.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"
#include "tools/validate/suite.h"

namespace heddle::command {

/// True if the request has no filters, or if one of them occurs in "GROUP NAME GPU".
bool is_wanted(const ValidateRequest& request, const std::string& group, const std::string& name,
               const std::string& gpu);

/// What to do with a case that cannot be run.
enum class OnFailure {
  Throw,     ///< Report a mistake in the suite.
  LeaveOut,  ///< List the case as not compared, for example because the GPU lacks its instructions.
};

/// Runs all cases and adds them to the results, by group. Throws InputError.
void run_cases(const ValidateRequest& request, const std::vector<validate::Group>& groups, OnFailure mode,
               validate::Results& results);

}  // namespace heddle::command
