// Cases of suites: which are wanted, their runs, and what comes out beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"
#include "tools/validate/suite.h"

namespace heddle::command {

/// Whether the request has no filters, or one of them is in "GROUP NAME GPU".
bool is_wanted(const ValidateRequest& request, const std::string& group, const std::string& name,
               const std::string& gpu);

/// What becomes of a case that cannot be run.
enum class OnFailure {
  Throw,     ///< It is the suite's mistake.
  LeaveOut,  ///< The GPU has no such instructions, say: it is told among what is not compared.
};

/// Runs all cases and adds them to the results, group by group. Throws InputError.
void run_cases(const ValidateRequest& request, const std::vector<validate::Group>& groups, OnFailure mode,
               validate::Results& results);

}  // namespace heddle::command
