// What each instruction of a kernel costs: the slots that were lost for it.
//
// The ledger by instruction says where warps waited. What they waited for stands elsewhere: the load whose
// result the instruction needs, the barrier before it, the branch that sent their lanes different ways. Each
// lost slot is charged to one instruction, so that costs add up to what was lost, in integers:
//
//   data, fixed latencies      what wrote the register; if several may have, the one whose loads took longest
//   barrier, fence, branch ... the last one before, by whatever path
//   a full queue of memory     the access that keeps the data pipe of L1 and shared memory busy longest, each
//   time memory accesses after EXIT the atomics or stores that nobody waited for before lanes on another path
//   the innermost branch around it at which lanes parted all others                 the instruction that
//   waited
//
// Which of several loads a warp waited for in a cycle is not counted: it is judged by the kernel's registers
// and by the latencies that were counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/ir/kernel.h"
#include "sim/ledger/pc_counters.h"

namespace heddle::sim {

/// What was lost for one instruction, or for one line.
struct Cost {
  StallCounts slots;  ///< Issue slots, by stall reason.
  std::uint64_t lanes =
      0;  ///< Lane slots of issued instructions: of lanes on another path, exited, predicated off.

  /// Both in lane slots: a lost issue slot is lost for all lanes of a warp.
  [[nodiscard]] std::uint64_t lane_slots(std::uint32_t warp_size) const {
    return slots.sum() * warp_size + lanes;
  }

  Cost& operator+=(const Cost& other);
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// By pc. Counters are those of a run of the kernel.
std::vector<Cost> costs_of(const ir::Kernel& kernel, std::span<const PcCounters> by_pc);

}  // namespace heddle::sim
