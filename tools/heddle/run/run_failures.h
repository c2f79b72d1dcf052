// Several runs of one command: where one fails, the others are made and reported all the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/heddle/base/command.h"
#include "tools/heddle/run/run_request.h"
#include "tools/report/failure.h"

namespace heddle::command {

/// Makes runs, and keeps what is to be said of those that fail.
class RunFailures {
 public:
  /// Whether the others go on where one fails; of a run by itself there are none.
  explicit RunFailures(bool goes_on) : goes_on_(goes_on) {}

  /// Makes a run, and says whether it came to its end. A fault of the simulated program, which is given the
  /// place of the run, or an InputError, as of a trace that breaks off, is told on standard error at once and
  /// kept; or thrown, if nothing goes on. What several points of a sweep have in common is told once.
  bool attempt(const RunRequest& request, const std::string& path, const std::function<void()>& run);

  [[nodiscard]] const std::vector<report::Failure>& list() const { return list_; }
  /// That of the first failure, whatever checks say; kDone if there is none.
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  void note(ExitCode exit_code, report::Failure failure);

  bool goes_on_;
  std::vector<report::Failure> list_;
  ExitCode exit_code_ = kDone;
};

}  // namespace heddle::command
