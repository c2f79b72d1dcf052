// Many runs of one command: points of a sweep, several launches. Some run side by side; each is kept in a
// journal when it is done; who interrupts them loses none that is.
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

/// What the runs are; each is named by its number, from 0, in the order of the report.
struct RunSeries {
  std::size_t runs = 0;
  std::function<std::string(std::size_t)> name;  ///< For the progress line.
  /// Makes one. Several may be made at once, on threads of their own.
  std::function<RunOutcomes(std::size_t, const WatchRun&)> make;
  /// The GPU that it simulates, or the sample of its SMs.
  std::function<sim::GpuSpec(std::size_t)> gpu;
  /// Its figures: one run's, or those of the kernels of a list and their sum.
  std::function<std::vector<report::Summary>(std::size_t, const RunOutcomes&)> rows;
  std::function<JournalHead()> head;  ///< Called where there is a journal.
  std::function<std::string(const RunReport&)> report;
};

/// Makes all runs that no journal has yet, hands over the report, and returns the exit code of the first that
/// failed, whatever checks say; that of a check that failed; or kDone. The report and what standard error
/// says of the runs are the same bytes however many run side by side, and whether they were interrupted or
/// not. Throws InputError.
int run_series(const RunRequest& request, const RunSeries& series);

}  // namespace heddle::command
