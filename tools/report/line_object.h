// The ledger by line for programs: part of a run's JSON report, or a table of its own.
#pragma once

#include <string>

#include "tools/report/line_profile.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// The JSON report of a run with an object `lines`: the level, the files, the worst lines first, and each
/// line with what was counted there, in whole numbers that add up to those of the run. Stalls, costs and
/// counters of memory that are 0 are left out. The verdict has what is said of the worst line.
std::string to_json(const Summary& summary, const LineProfile& profile);

/// A header and a row for each line, with the fields of that object's lines and what made the report. A cell
/// is empty where a count is 0 and the line's object leaves it out.
std::string lines_csv(const Summary& summary, const LineProfile& profile);

}  // namespace heddle::report
