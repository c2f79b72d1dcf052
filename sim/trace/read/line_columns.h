// The columns of a line whose number depends on the lanes: addresses, pieces of tiles, values of registers.
#pragma once

#include "sim/trace/format/trace_line.h"
#include "sim/trace/read/column_scan.h"

namespace heddle::trace {

// Each begins at `at`, leaves it behind its columns, and throws Malformed.

/// The format and the addresses of the lanes in `line.mask`.
void scan_addresses(const char*& at, TraceLine& line);

/// Whether what follows the width are columns of a tile's transfer, those of now or those of older tracers.
bool is_bulk_ahead(const char* at);
/// From the barrier, or from the format in older traces, up to the last address; `immediates` columns follow.
void scan_bulk(const char*& at, TraceLine& line, unsigned immediates);

/// "NoVal", or "Val" and the values of so many registers.
void scan_values(const char*& at, unsigned registers, TraceLine& line);

}  // namespace heddle::trace
