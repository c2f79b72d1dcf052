// What happened in a run over time, in a bounded form: pages and Perfetto files are drawn from it.
//
//   gpu, sms    sums in buckets of time, over the whole run; the buckets are so wide that they are few
//   stays       which warp was in which slot of the watched SM, and when
//   slices      what those warps did, to the cycle: issued an instruction, or were stalled for a reason
//
// If there is more to tell than kMostSlices, stretches of time are left out, evenly: of `every` stretches of
// kStretch cycles the first is told.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/stall_reason.h"
#include "isa/stream/static_op.h"

namespace heddle::history {

inline constexpr std::size_t kMostBuckets = 1024;
inline constexpr std::size_t kMostSlices = 150'000;
inline constexpr std::size_t kMostStays = 50'000;
inline constexpr std::size_t kMostAccesses = 400;
inline constexpr SmId kWatchedSm = 0;
inline constexpr Cycle kStretch = 1024;  ///< A power of two.

/// What the whole GPU did in one bucket of time. Sums, as the counters of the run are.
struct Moment {
  std::uint64_t issued = 0;           ///< Warp instructions.
  std::uint64_t active_lanes = 0;     ///< Lanes on the path, summed over these.
  std::uint64_t resident_cycles = 0;  ///< Warps of resident blocks x cycles, finished ones, too.
  std::uint64_t sm_cycles = 0;        ///< SMs that hold a block x cycles.
  std::uint64_t l2_load_sectors = 0;  ///< By when the request left its SM, as the next three.
  std::uint64_t l2_store_sectors = 0;
  std::uint64_t l2_atomic_sectors = 0;
  std::uint64_t dram_sectors =
      0;  ///< Of the loads and atomics: those of requests that L2 did not hold whole.

  Moment& operator+=(const Moment& other);
  friend bool operator==(const Moment&, const Moment&) = default;
};

/// What one SM did in one bucket of time.
struct SmMoment {
  std::uint64_t issued = 0;
  std::uint64_t resident_cycles = 0;

  SmMoment& operator+=(const SmMoment& other);
  friend bool operator==(const SmMoment&, const SmMoment&) = default;
};

/// A warp in a slot of the watched SM, from the start of its block to the block's end.
struct Stay {
  WarpSlot slot = 0;
  BlockId block = 0;
  std::uint32_t warp_in_block = 0;
  Cycle from = 0;
  Cycle until = 0;  ///< Not in it.
};

/// What a warp of the watched SM did in these cycles.
struct Slice {
  enum class Kind : std::uint8_t { Issued, Stalled };

  WarpSlot slot = 0;
  Cycle from = 0;
  Cycle until = 0;  ///< Not in it. One cycle after `from` for an issue.
  Kind kind = Kind::Issued;
  ir::StallReason stall = ir::StallReason::Wait;  ///< If it is stalled.
  std::uint8_t lanes = 0;                         ///< Lanes on the path of what issued.
  Pc pc = 0;                                      ///< What issued, or what the warp waits to issue.

  friend bool operator==(const Slice&, const Slice&) = default;
};

/// Which addresses the lanes of a warp named when it executed this instruction.
struct LaneAccess {
  Pc pc = 0;
  stream::MemorySpace space = stream::MemorySpace::None;
  std::uint32_t bytes = 0;  ///< Of each lane, from its address on.
  BlockId block = 0;
  std::uint32_t warp_in_block = 0;
  std::vector<std::pair<unsigned, Addr>> addresses;  ///< Of the lanes that executed it, lowest lane first.
};

/// A whole run, once it has ended.
struct RunHistory {
  Cycle cycles = 0;
  Cycle bucket = 1;         ///< Cycles of a bucket, a power of two; the last bucket may end after the run.
  std::vector<Moment> gpu;  ///< By bucket.
  std::vector<std::vector<SmMoment>> sms;  ///< By SM, then by bucket; as many buckets as `gpu` has.
  SmId watched = kWatchedSm;               ///< The SM of what follows.
  std::vector<Stay> stays;                 ///< By slot, then by time.
  std::vector<Slice> slices;               ///< By slot, then by time, without overlap.
  std::uint64_t every = 1;                 ///< One of so many stretches is told by the slices.
  std::uint64_t stays_left_out = 0;        ///< Warps beyond kMostStays.
  std::vector<LaneAccess> accesses;  ///< By pc, one for each; kMostAccesses at most. A LaneRecorder has them.

  /// Whether the slices tell of this cycle.
  [[nodiscard]] bool tells(Cycle cycle) const { return cycle / kStretch % every == 0; }
};

}  // namespace heddle::history
