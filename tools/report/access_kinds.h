// The kinds of memory accesses and their counters.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/memory/memory_counters.h"

namespace heddle::report {

/// One kind of access and its counters.
struct AccessKind {
  std::string_view space;
  std::string_view kind;
  std::uint64_t sim::MemoryCounters::*requests;
  /// Sectors, or passes over the banks of shared memory.
  std::uint64_t sim::MemoryCounters::*amount;
  /// Sectors or passes that better addresses would avoid.
  std::uint64_t sim::MemoryCounters::*excess = nullptr;
};

inline constexpr AccessKind kDeviceAccesses[] = {
    {"global", "load", &sim::MemoryCounters::global_load_requests, &sim::MemoryCounters::global_load_sectors,
     &sim::MemoryCounters::global_load_excess_sectors},
    {"global", "store", &sim::MemoryCounters::global_store_requests,
     &sim::MemoryCounters::global_store_sectors, &sim::MemoryCounters::global_store_excess_sectors},
    {"global", "atomic", &sim::MemoryCounters::global_atomic_requests,
     &sim::MemoryCounters::global_atomic_sectors},
    {"local", "load", &sim::MemoryCounters::local_load_requests, &sim::MemoryCounters::local_load_sectors},
    {"local", "store", &sim::MemoryCounters::local_store_requests, &sim::MemoryCounters::local_store_sectors},
};

inline constexpr AccessKind kSharedAccesses[] = {
    {"shared", "load", &sim::MemoryCounters::shared_load_requests, &sim::MemoryCounters::shared_load_passes,
     &sim::MemoryCounters::shared_load_bank_conflicts},
    {"shared", "store", &sim::MemoryCounters::shared_store_requests,
     &sim::MemoryCounters::shared_store_passes, &sim::MemoryCounters::shared_store_bank_conflicts},
    {"shared", "atomic", &sim::MemoryCounters::shared_atomic_requests,
     &sim::MemoryCounters::shared_atomic_passes, &sim::MemoryCounters::shared_atomic_bank_conflicts},
};

}  // namespace heddle::report
