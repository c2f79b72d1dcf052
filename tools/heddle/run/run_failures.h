// Several runs of one command: where one fails, the others are made and reported all the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/stream/kernel_fault.h"
#include "tools/heddle/base/command.h"
#include "tools/heddle/journal/outcome.h"
#include "tools/heddle/run/run_request.h"
#include "tools/report/failure.h"

namespace heddle::command {

/// Makes a run. What the simulated program does wrong, and an InputError, as of a trace that breaks off, are
/// the outcome then: what is to be said of it names the launch and its point.
RunOutcome outcome_of(const RunRequest& request, const std::string& path,
                      const std::function<RunOutcome()>& run);

/// Makes a run that stands by itself. Throws its KernelFault with the name of the launch, and its InputError.
RunOutcome outcome_or_throw(const RunRequest& request, const std::string& path,
                            const std::function<RunOutcome()>& run);

/// Those that failed, in their order.
class RunFailures {
 public:
  /// Tells of one on standard error, and keeps it. What several points of a sweep have in common is told
  /// once.
  void add(FailedRun failed);

  [[nodiscard]] const std::vector<report::Failure>& list() const { return list_; }
  /// That of the first failure, whatever checks say; kDone if there is none.
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  std::vector<report::Failure> list_;
  ExitCode exit_code_ = kDone;
};

}  // namespace heddle::command
