// What the memory system counts. One list, from which sums, reports and tests are made.
#pragma once

#include <cstdint>

namespace heddle::sim {

/// The counters of L1, L2 and DRAM: for a grid, an SM or an instruction.
struct MemoryCounters {
#define HEDDLE_MEMORY_COUNTER(name, summary) std::uint64_t name = 0;
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER

  [[nodiscard]] std::uint64_t dram_bytes() const { return dram_read_bytes + dram_write_bytes; }

  MemoryCounters& operator+=(const MemoryCounters& other) {
#define HEDDLE_MEMORY_COUNTER(name, summary) name += other.name;
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
    return *this;
  }

  friend bool operator==(const MemoryCounters&, const MemoryCounters&) = default;
};

}  // namespace heddle::sim
