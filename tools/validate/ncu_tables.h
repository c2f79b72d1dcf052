// The tables in what Nsight Compute has printed. A log often has more in it: the profiler's own lines, the
// program's output, several reports one after another.
#pragma once

#include <string>
#include <vector>

#include "tools/validate/csv_table.h"

namespace heddle::validate {

/// Tables of `ncu --csv` whose first column is "ID", in the order of the file; cells that a row lacks at its
/// end are empty. Lines that are no row of a table are passed over. Throws InputError for rows with more
/// cells than columns, for a line in the middle of which a row begins, and for a file without such a table,
/// saying what it is if it is what another tool, or another option, prints.
std::vector<CsvTable> load_ncu_tables(const std::string& path);

}  // namespace heddle::validate
