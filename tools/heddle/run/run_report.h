// The report of `heddle run` after all runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/heddle/run/run_request.h"
#include "tools/report/failure.h"
#include "tools/report/line_profile.h"
#include "tools/report/render_text.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// The results of all runs.
struct RunReport {
  std::vector<report::Summary> runs;
  std::string timeline;                           ///< Empty unless it is asked for.
  std::string early_reads;                        ///< Likewise.
  std::optional<report::LineProfile> lines = {};  ///< Of a single run, if it is asked for.
  std::vector<report::Failure> failures;
};

report::TextStyle text_style(const RunRequest& request);

/// One page, or everything in full. `line`: what the verdict says of a line of the source, if anything.
std::string text_of_run(const RunRequest& request, const report::Summary& run, const std::string& line = {});

/// Lists the runs that failed, with reasons. Empty if none did.
std::string failures_text(std::span<const report::Failure> failures, const report::TextStyle& style);

/// The report in the format of the request. As text, a single run is a page or in full, and several runs are
/// a table.
std::string report_of_runs(const RunRequest& request, const RunReport& report);

/// Writes to the file of the request, or to standard output unless the request is quiet.
void deliver(const RunRequest& request, const std::string& report);

}  // namespace heddle::command
