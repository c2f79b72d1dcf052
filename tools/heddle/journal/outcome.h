// What came of a run, before any figure is made of it: small enough to keep, and all that a report needs.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sim/device/run.h"
#include "tools/heddle/base/command.h"
#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// A run that came to its end.
struct CountedRun {
  sim::RunResult result;
  report::RunInfo info;
};

/// A run that did not.
struct FailedRun {
  ExitCode exit_code = kProgramFailed;
  report::Failure failure;
};

struct RunOutcome {
  std::variant<CountedRun, FailedRun> run;
  std::string told;  ///< For standard error: checks that failed. Empty if there is nothing to tell.
};

/// One run; of a list of traces a run of each kernel, in the order of the list.
using RunOutcomes = std::vector<RunOutcome>;

}  // namespace heddle::command
