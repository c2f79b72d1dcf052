// Which kind of access is behind what memory takes.
#pragma once

#include <optional>
#include <string>

#include "tools/report/summary.h"

namespace heddle::report {

/// "a global store touches 32.0 sectors, 28.0 of them in excess: let neighbouring lanes use neighbouring
/// addresses"; nothing where no kind of access has more in excess than it needs.
std::optional<std::string> scattered_access(const sim::MemoryCounters& counters);

/// "global loads ask for most of it, 4.0 sectors each"; nothing where there are no accesses.
std::optional<std::string> greatest_access(const sim::MemoryCounters& counters);

/// "a load takes 32.0 passes over shared memory's banks, 28.0 of them for conflicts", of the kind of access
/// that has most of them, and what would help. There must be one.
std::string conflicting_access(const sim::MemoryCounters& counters);

}  // namespace heddle::report
