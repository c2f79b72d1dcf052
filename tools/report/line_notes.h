// What is worth saying of a line's memory accesses, in a few words each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/ledger/pc_counters.h"

namespace heddle::report {

/// The accesses of one kind of memory, of all kinds of instructions together.
struct Accesses {
  std::uint64_t requests = 0;  ///< Warp instructions.
  std::uint64_t amount = 0;    ///< Sectors of 32 bytes, or passes over the banks of shared memory.
  std::uint64_t excess = 0;    ///< Those that better addresses would avoid.

  /// What the same accesses would take at least.
  [[nodiscard]] std::uint64_t least() const { return amount - excess; }
};

/// Global and local memory, in sectors. What atomics and local memory take counts as the least.
Accesses device_accesses(const sim::MemoryCounters& counters);
/// Shared memory, in passes.
Accesses shared_accesses(const sim::MemoryCounters& counters);

/// "32.0 sectors each, least 4.0", "8.0 passes each, least 1.0", "latency 512 cycles, 930 at most; DRAM 80
/// %". A note is there only if there was such an access. The latency is of loads and of atomics that are
/// answered; the share is that of the level which answered most of them.
std::vector<std::string> access_notes(const sim::PcCounters& counters);

}  // namespace heddle::report
