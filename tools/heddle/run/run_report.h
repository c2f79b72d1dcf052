// What `heddle run` hands over when all runs are made.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/heddle/run/run_request.h"
#include "tools/report/failure.h"
#include "tools/report/render_text.h"
#include "tools/report/summary.h"

namespace heddle::command {

struct RunReport {
  std::vector<report::Summary> runs;
  std::string timeline;  ///< Empty if none is asked for.
  std::vector<report::Failure> failures;
};

report::TextStyle text_style(const RunRequest& request);

/// A page, or all there is to say.
std::string text_of_run(const RunRequest& request, const report::Summary& run);

/// Behind the runs: which ones failed, and why. Nothing if none did.
std::string failures_text(std::span<const report::Failure> failures, const report::TextStyle& style);

/// In the form that is asked for; as text, a run by itself as a page or in full, several as a
/// table.
std::string report_of_runs(const RunRequest& request, const RunReport& report);

/// To the file that is asked for, or to standard output, unless it shall be quiet.
void deliver(const RunRequest& request, const std::string& report);

}  // namespace heddle::command
