// Facts that the model tells whoever asked. With nobody asking they cost a test of a flag.
//
// SMs write them down while they run, on whatever thread; at each exchange they are told in the order (time,
// SM, sequence), and forgotten.
#pragma once

#include <variant>

#include "isa/base/types.h"
#include "isa/ir/stall_reason.h"
#include "sim/memory/request.h"

namespace heddle::sim {

/// A warp instruction has issued.
struct WarpIssued {
  Cycle cycle = 0;
  SmId sm = 0;
  WarpSlot slot = 0;
  BlockId block = 0;
  std::uint32_t warp_in_block = 0;
  Pc pc = 0;
  LaneMask live = 0;       ///< Lanes that had not exited.
  LaneMask active = 0;     ///< Lanes on the path that issued.
  LaneMask executed = 0;   ///< Active lanes whose guard held.
  std::uint32_t grid = 0;  ///< The GridId of its grid.

  friend bool operator==(const WarpIssued&, const WarpIssued&) = default;
};

/// What a resident warp does in a cycle, told for the cycles that RunOptions::samples names.
struct WarpSampled {
  /// Finished: the warp has exited but still holds its place.
  enum class State : std::uint8_t { Issued, Stalled, Finished };

  Cycle cycle = 0;
  SmId sm = 0;
  WarpSlot slot = 0;
  BlockId block = 0;
  std::uint32_t warp_in_block = 0;
  State state = State::Stalled;
  ir::StallReason stall = ir::StallReason::Wait;  ///< Why it is stalled, if it is.
  Pc pc = 0;               ///< The instruction that it waits to issue; after its last one, that.
  std::uint32_t grid = 0;  ///< The GridId of its grid.

  friend bool operator==(const WarpSampled&, const WarpSampled&) = default;
};

/// A resident warp has not issued in these cycles, for one reason. Told of the SMs that EventKinds::stall_sms
/// names, of grids that are counted by instruction. For each warp the spans and its issues fill the time
/// without overlap, in order. Lengths are those of the ledger; within the cycles in which a warp was ready
/// the order of the reasons is fixed: dispatch stalls, the throttle, then not selected.
struct WarpStalled {
  Cycle cycle = 0;  ///< When it is known: when the warp issues or leaves, or the reason changes.
  Cycle from = 0;
  Cycle until = 0;  ///< Not in it.
  SmId sm = 0;
  WarpSlot slot = 0;
  BlockId block = 0;
  std::uint32_t warp_in_block = 0;
  ir::StallReason stall = ir::StallReason::Wait;
  Pc pc = 0;               ///< The instruction that it waits to issue; after its last one, that.
  std::uint32_t grid = 0;  ///< The GridId of its grid.

  friend bool operator==(const WarpStalled&, const WarpStalled&) = default;
};

/// A block has taken its place on an SM.
struct BlockStarted {
  Cycle cycle = 0;
  SmId sm = 0;
  BlockId block = 0;
  std::uint32_t warps = 0;
  std::uint32_t grid = 0;  ///< The GridId of its grid.

  friend bool operator==(const BlockStarted&, const BlockStarted&) = default;
};

/// A block is gone from this cycle on.
struct BlockEnded {
  Cycle cycle = 0;
  SmId sm = 0;
  BlockId block = 0;
  std::uint32_t grid = 0;  ///< The GridId of its grid.

  friend bool operator==(const BlockEnded&, const BlockEnded&) = default;
};

/// A request that went to L2 has been served.
struct MemoryServed {
  /// What was asked for.
  enum class Kind : std::uint8_t { Load, Store, Atomic };

  Cycle cycle = 0;  ///< When it left the SM.
  SmId sm = 0;
  WarpSlot slot = 0;          ///< The slot of the warp that asked.
  Pc pc = 0;                  ///< The instruction that asked.
  Addr line = 0;              ///< Address of the L1 line's first byte.
  std::uint32_t sectors = 0;  ///< Bit s is the line's sector s.
  Kind kind = Kind::Load;
  MemoryLevel level = MemoryLevel::L2;  ///< The furthest that had some of what was read.
  Cycle reply = kNever;                 ///< When the data reach the SM; kNever if nothing comes back.
  std::uint32_t grid = 0;               ///< The GridId of its grid.

  friend bool operator==(const MemoryServed&, const MemoryServed&) = default;
};

using Event = std::variant<WarpIssued, WarpSampled, WarpStalled, BlockStarted, BlockEnded, MemoryServed>;

/// What is to be told, but for samples: RunOptions::samples asks for them.
struct EventKinds {
  bool issues = true;
  bool blocks = true;
  bool memory = true;
  std::uint32_t stall_sms = 0;  ///< WarpStalled is told of so many SMs, from SM 0 on.
};

inline constexpr EventKinds kNoEvents{false, false, false, 0};

/// A range of cycles, the last one not in it.
struct CycleRange {
  Cycle from = 0;
  Cycle until = 0;

  [[nodiscard]] bool contains(Cycle cycle) const { return cycle >= from && cycle < until; }
  [[nodiscard]] bool overlaps(Cycle begin, Cycle end) const { return begin < until && from < end; }
};

/// Listens to a run. Calls come from one thread, in the order (time, SM, sequence), the same ones however
/// many threads the SMs run on; what an SM did comes before what memory did for it.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Asked once, before a run.
  [[nodiscard]] virtual EventKinds wanted() const { return {}; }
  virtual void warp_issued(const WarpIssued&) {}
  virtual void warp_sampled(const WarpSampled&) {}
  virtual void warp_stalled(const WarpStalled&) {}
  virtual void block_started(const BlockStarted&) {}
  virtual void block_ended(const BlockEnded&) {}
  virtual void memory_served(const MemoryServed&) {}
};

/// Calls the observer's function for it.
void tell(Observer& observer, const Event& event);

inline Cycle cycle_of(const Event& event) {
  return std::visit([](const auto& each) { return each.cycle; }, event);
}
inline SmId sm_of(const Event& event) {
  return std::visit([](const auto& each) { return each.sm; }, event);
}

}  // namespace heddle::sim
