// What each instruction of a kernel costs: the slots that were lost for it.
//
// The ledger by instruction says where warps waited. What they waited for stands elsewhere: the load whose
// result the instruction needs, the barrier before it, the branch that sent their lanes different ways. Each
// lost slot is charged to one instruction, so that costs add up to what was lost, in integers:
//
//   data, fixed latencies      what wrote the register; if several may have, the one whose loads took longest
//                              in all; if none was a load, what was issued most often, then the last one
//   barrier, fence, branch     the last one before, by whatever path
//   a full queue of memory     the access that keeps the data pipe of L1 and shared memory busy longest, each
//                              time
//   accesses after EXIT        the atomics or stores that nobody waited for before
//   lanes on another path      the innermost branch around it at which lanes parted
//   lanes switched off         what decided the guard: the same line, whether the compiler has made a branch
//                              or guards of a condition
//   all others                 the instruction that waited
//
// Which of several loads a warp waited for in a cycle is not counted: it is judged by the kernel's registers
// and by the latencies that were counted.
//
// When all blocks have ended, memory may still be busy with what they asked for. These cycles are in no
// ledger, since no SM holds a block, but they are part of the run. They are charged, too, in issue slots.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ir/kernel.h"
#include "sim/device/run_result.h"
#include "sim/ledger/pc_counters.h"

namespace heddle::sim {

/// What was lost for one instruction, or for one line.
struct Cost {
  StallCounts slots;  ///< Issue slots, by stall reason.
  /// Lane slots of issued instructions: of lanes on another path, exited, predicated off.
  std::uint64_t lanes = 0;
  /// Of `lanes`, those that are lost because lanes of one warp do different things: on another path, or
  /// switched off by a guard that is true for others.
  std::uint64_t parted = 0;
  /// Of `slots`, those that were lost to results of a chain of instructions: each load says where the next
  /// one is, each addition goes on with the last sum.
  std::uint64_t chained = 0;
  /// Issue slots of the SMs that had blocks, in the cycles after the last block has ended in which memory
  /// finishes what this has asked for. They are none of `slots`.
  std::uint64_t late = 0;

  /// All in lane slots: a lost issue slot is lost for all lanes of a warp.
  [[nodiscard]] std::uint64_t lane_slots(std::uint32_t warp_size) const {
    return (slots.sum() + late) * warp_size + lanes;
  }

  Cost& operator+=(const Cost& other);
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// By pc. The run must be of this kernel, and have been counted by instruction.
std::vector<Cost> costs_of(const ir::Kernel& kernel, const RunResult& run);

}  // namespace heddle::sim
