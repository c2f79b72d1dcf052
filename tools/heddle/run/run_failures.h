// Failures among several runs of one command. The other runs are made and reported all the same. And runs
// that count as failed by --fail-if.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "isa/stream/kernel_fault.h"
#include "tools/heddle/base/command.h"
#include "tools/heddle/journal/outcome.h"
#include "tools/heddle/run/run_request.h"
#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// Makes a run. If the simulated program fails, or an InputError occurs because a trace breaks off, that
/// becomes the outcome; its message names the launch and its point.
RunOutcome outcome_of(const RunRequest& request, const std::string& path,
                      const std::function<RunOutcome()>& run);

/// Makes a run that stands alone. Throws its InputError, and its KernelFault with the name of the launch.
RunOutcome outcome_or_throw(const RunRequest& request, const std::string& path,
                            const std::function<RunOutcome()>& run);

/// kLimitExceeded if a condition of the request is true of one of the runs, else kDone; standard error says
/// which. Throws InputError if a run lacks the figure.
ExitCode decide_conditions(const RunRequest& request, std::span<const report::Summary> runs);

/// The runs that failed, in order.
class RunFailures {
 public:
  /// Reports a failure on standard error and keeps it. Failures that several points of a sweep share are
  /// reported once.
  void add(FailedRun failed);

  [[nodiscard]] const std::vector<report::Failure>& list() const { return list_; }
  /// The exit code of the first failure, regardless of failed checks; kDone if there is none.
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  std::vector<report::Failure> list_;
  ExitCode exit_code_ = kDone;
};

}  // namespace heddle::command
