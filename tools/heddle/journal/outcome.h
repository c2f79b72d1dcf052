// The outcome of a run before figures are computed: small enough to keep, and enough to make a report.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sim/device/run.h"
#include "tools/heddle/base/command.h"
#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// A run that reached its end.
struct CountedRun {
  sim::RunResult result;
  report::RunInfo info;
};

/// A run that failed.
struct FailedRun {
  ExitCode exit_code = kProgramFailed;
  report::Failure failure;
};

/// The result of one run, or its failure.
struct RunOutcome {
  std::variant<CountedRun, FailedRun> run;
  std::string told;  ///< Failed checks, for standard error; empty if there are none.
};

/// One outcome; for a list of traces one for each kernel, in the order of the list.
using RunOutcomes = std::vector<RunOutcome>;

}  // namespace heddle::command
