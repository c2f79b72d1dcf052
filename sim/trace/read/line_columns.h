// The columns of a line whose number depends on the lanes: addresses, pieces of tiles, register values.
#pragma once

#include "sim/trace/format/trace_line.h"
#include "sim/trace/read/column_scan.h"

namespace heddle::trace {

// Each function begins at `at`, moves it behind its columns, and throws Malformed.

/// Scans the format and the addresses of the lanes in `line.mask`.
void scan_addresses(const char*& at, TraceLine& line);

/// Whether the columns of a tile's transfer follow the width, in the present form or that of older tracers.
bool is_bulk_ahead(const char* at);
/// Scans from the mbarrier (in older traces, from the format) to the last address; `immediates` columns
/// follow.
void scan_bulk(const char*& at, TraceLine& line, unsigned immediates);

/// Scans "NoVal", or "Val" and the values of this many registers.
void scan_values(const char*& at, unsigned registers, TraceLine& line);

}  // namespace heddle::trace
