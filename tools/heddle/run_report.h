// What `heddle run` hands over when all runs are made.
#pragma once

#include <string>
#include <vector>

#include "tools/heddle/run_request.h"
#include "tools/report/render_text.h"
#include "tools/report/summary.h"

namespace heddle::command {

struct RunReport {
  std::vector<report::Summary> runs;
  std::string timeline;  ///< Empty if none is asked for.
};

report::TextStyle text_style(const RunRequest& request);

/// In the form that is asked for; as text, a run by itself in full, several as a table.
std::string report_of_runs(const RunRequest& request, const RunReport& report);

/// To the file that is asked for, or to standard output, unless it shall be quiet.
void deliver(const RunRequest& request, const std::string& report);

}  // namespace heddle::command
