// Many runs of one command: points of a sweep, or several launches. Some run in parallel. Each finished run
// is kept in a journal, so an interruption loses none of them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "tools/heddle/journal/journal.h"
#include "tools/heddle/journal/outcome.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/run_request.h"
#include "tools/heddle/run/watched_run.h"

namespace heddle::command {

/// The runs. Each has a number, from 0, in the order of the report.
struct RunSeries {
  std::size_t runs = 0;
  std::function<std::string(std::size_t)> name;  ///< Name for the progress line.
  /// Makes one run. Several calls can run at once, on different threads.
  std::function<RunOutcomes(std::size_t, const WatchRun&)> make;
  /// The GPU that a run simulates, or the sample of its SMs.
  std::function<sim::GpuSpec(std::size_t)> gpu;
  /// The figures of a run, or those of the kernels of a list and their sum.
  std::function<std::vector<report::Summary>(std::size_t, const RunOutcomes&)> rows;
  std::function<JournalHead()> head;  ///< Called only if there is a journal.
  std::function<std::string(const RunReport&)> report;
};

/// Makes all runs that the journal does not have, and writes the report. Returns the exit code of the first
/// failed run, regardless of failed checks; else that of a failed check; else kDone. The report and the
/// messages on standard error are the same bytes for any number of parallel runs, with or without
/// interruptions. Throws InputError.
int run_series(const RunRequest& request, const RunSeries& series);

}  // namespace heddle::command
