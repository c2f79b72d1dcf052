// Finds the tables in the output of Nsight Compute. A log often contains more: the profiler's own lines, the
// program's output, several reports one after another.
#pragma once

#include <string>
#include <vector>

#include "tools/validate/csv_table.h"

namespace heddle::validate {

/// The tables of `ncu --csv` whose first column is "ID", in the order of the file. Missing cells at the end
/// of a row are empty. Other lines are skipped. Throws InputError for rows with more cells than columns, for
/// a line in whose middle a row begins, and for a file without such a table; if the file is the output of
/// another tool or option, the message says so.
std::vector<CsvTable> load_ncu_tables(const std::string& path);

}  // namespace heddle::validate
