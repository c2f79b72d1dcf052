// The ledger by line for programs: part of a run's JSON report, or a table of its own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tools/report/summary.h"

namespace heddle::report {

/// The level, the files, the worst lines first, and each line with what was counted there: whole numbers that
/// add up to those of the run. Stalls, costs and counters of memory that are 0 are left out. `summary` must
/// have lines.
nlohmann::ordered_json lines_object(const Summary& summary);

/// A header and a row for each line, with the columns of that object's lines and what made the report. Cells
/// of counters that are 0 everywhere else in the row's object are empty.
std::string lines_csv(const Summary& summary);

}  // namespace heddle::report
