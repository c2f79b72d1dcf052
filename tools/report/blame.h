// Finds the kind of access that causes most memory traffic.
#pragma once

#include <optional>
#include <string>

#include "tools/report/summary.h"

namespace heddle::report {

/// "a global store touches 32.0 sectors, 28.0 of them in excess: let neighbouring lanes use neighbouring
/// addresses". Nothing if no kind of access has more excess sectors than necessary ones.
std::optional<std::string> scattered_access(const sim::MemoryCounters& counters);

/// "global loads ask for most of it, 4.0 sectors each". Nothing if there are no accesses.
std::optional<std::string> greatest_access(const sim::MemoryCounters& counters);

/// "a load takes 32.0 passes over shared memory's banks, 28.0 of them for conflicts", for the kind of access
/// with most conflicts, and advice. There must be one.
std::string conflicting_access(const sim::MemoryCounters& counters);

}  // namespace heddle::report
