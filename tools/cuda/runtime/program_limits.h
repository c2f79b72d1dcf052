// Whether a program took more than it may: HEDDLE_MAX_CYCLES and HEDDLE_FAIL_IF.
#pragma once

#include <string>

#include "tools/cuda/runtime/program_totals.h"

namespace heddle::cudart {

/// What is said of it, and the exit code that the program is to have; 0: its own.
struct LimitAnswer {
  std::string text;
  int exit_code = 0;
};

/// Of the program's sums. A limit of which nobody can say whether it holds, since nothing was timed or a
/// kernel failed, does not count as kept.
LimitAnswer limits_of(const ProgramTotals& totals, const Settings& settings);

}  // namespace heddle::cudart
