// The seam between the functional side (what happens) and the timing model (how long it takes).
//
// The timing model pulls dynamic warp instructions through these two interfaces and never executes anything.
// Executing a kernel, replaying a recorded trace and recording one are implementations of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "isa/base/dim3.h"
#include "isa/base/lane_addresses.h"
#include "isa/base/types.h"
#include "isa/stream/async_step.h"
#include "isa/stream/static_op.h"

namespace heddle {
class ThreadTeam;
}

namespace heddle::stream {

class HostPrefetchable;
class SpinWatchable;
class WaitRepair;

/// A warp's arrival at a barrier of its block: which barrier, and how many warps it expects.
struct BarrierUse {
  std::uint8_t id = 0;      ///< Below kBarriersPerBlock.
  std::uint16_t warps = 0;  ///< How many meet; 0: all of the block that have not exited.
  bool is_trusted = false;  ///< Recorded on a GPU: mismatch() does not check it.
  bool is_anywhere = false;  ///< Warps may come by different instructions.

  friend bool operator==(const BarrierUse&, const BarrierUse&) = default;
};

/// The longest sleep, in nanoseconds: NANOSLEEP lasts a millisecond at most (PTX ISA, nanosleep).
inline constexpr std::uint32_t kLongestSleep = 1'000'000;

/// What one issued warp instruction did. The source owns it until its next call. The fields from `span` on
/// are set only by the instructions that they describe; after any other instruction they may hold what an
/// earlier one left.
struct WarpStep {
  LaneMask live = 0;                ///< Lanes of the warp that had not exited before this instruction.
  LaneMask active = 0;              ///< Live lanes on the path that issued.
  LaneMask executed = 0;            ///< Active lanes whose guard held.
  const StaticOp* next = nullptr;   ///< What the warp issues next; null when all its lanes have exited.
  const Addr* addresses = nullptr;  ///< By lane, valid where executed; null unless memory was accessed.
  LaneSpan span = {};               ///< The range of the addresses.
  /// Identifies the address pattern of an access to shared memory, so that its bank conflicts are computed
  /// once; 0: not known. Steps of one source with the same number have the same executed lanes and the same
  /// bytes a lane, aligned to that size; their addresses differ by one constant.
  std::uint64_t shape = 0;
  const Addr* shared_addresses = nullptr;  ///< A copy: where in shared memory each lane's data go.
  const AsyncStep* async = nullptr;        ///< For mbarriers and bulk copies: what they do. Null: not known.
  BarrierUse barrier = {};                 ///< For a barrier that lanes executed.
  std::uint32_t nanoseconds = 0;           ///< For a sleep: how long.
  LaneMask next_active = 0;                ///< After a branch: the lanes that issue next. 0: not known.

  /// Whether a branch has diverged: its guard holds for some of its lanes, or the registers that hold the
  /// target differ.
  [[nodiscard]] bool has_parted_lanes() const {
    if (executed == 0) return false;
    const LaneMask next_of_them = next_active & executed;
    return executed != active || (next_of_them != 0 && next_of_them != executed);
  }
};

/// The warps of one SM, as the timing model sees them: a block starts, its warps issue, it ends. One thread
/// at a time calls a source, but sources of different SMs are called at the same time. So no two sources
/// share state that a call changes.
class WarpSource {
 public:
  virtual ~WarpSource() = default;

  /// A block begins: its warp i lives in `slots[i]` until end_block. Leaves each warp's first instruction in
  /// `first[i]`, never null.
  virtual void start_block(BlockId block, std::span<const WarpSlot> slots,
                           std::span<const StaticOp*> first) = 0;

  /// The warp issues its next instruction at cycle `now`, which a program can read (CS2R). A caller without
  /// time gives the number of instructions that the warp has issued before. Calls come in the order of issue.
  /// What it returns lasts until the next call. Throws KernelFault when the simulated program fails.
  virtual const WarpStep& issue(WarpSlot slot, Cycle now) = 0;

  /// All warps of the block in these slots have exited; its registers and shared memory may be forgotten.
  virtual void end_block(std::span<const WarpSlot> slots) = 0;

  /// Where the warp stands, for messages: "instruction 12 (BAR.SYNC 0x0, line 31), block 3, warp 2".
  [[nodiscard]] virtual std::string describe(WarpSlot slot) const = 0;

  // Optional interfaces: null if the source does not have one. The pointers stay the same while it lives.

  /// Whether warps spin, for messages about deadlocks.
  [[nodiscard]] virtual SpinWatchable* spin_watch() { return nullptr; }
  /// Prefetches into the host's caches.
  [[nodiscard]] virtual const HostPrefetchable* host_prefetchable() const { return nullptr; }
  /// Says which wait ends where nothing else would end one. If null, such a wait is a deadlock.
  [[nodiscard]] virtual const WaitRepair* wait_repair() const { return nullptr; }
};

/// What a launch asks of the GPU.
struct LaunchShape {
  std::string kernel;  ///< Name, for reports.
  Dim3 grid;
  Dim3 block;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes_per_block = 0;  ///< Static and dynamic, without what the system reserves.
  std::uint32_t barriers_per_block = 1;      ///< Named barriers.
  std::uint32_t warp_size = 32;
  /// The numbers of all registers and predicates that instructions name lie below this.
  std::uint32_t register_slots = ir::kSlots;

  [[nodiscard]] std::uint64_t blocks() const { return grid.count(); }
  [[nodiscard]] std::uint64_t threads_per_block() const { return block.count(); }
  [[nodiscard]] std::uint32_t warps_per_block() const {
    return static_cast<std::uint32_t>(divide_up(threads_per_block(), warp_size));
  }
};

/// One launch: makes a WarpSource for each SM.
class KernelSource {
 public:
  virtual ~KernelSource() = default;
  [[nodiscard]] virtual const LaunchShape& shape() const = 0;
  /// All static instructions, by Pc: what reports name.
  [[nodiscard]] virtual std::span<const StaticOp> static_ops() const = 0;
  virtual std::unique_ptr<WarpSource> make_warp_source(SmId sm, std::uint32_t warp_slots) = 0;
  /// Called at the end of each quantum: what the SMs wrote to global memory in it becomes visible to all. No
  /// warp issues meanwhile. The threads of the team may help.
  virtual void commit_writes(ThreadTeam& /*team*/) {}
};

}  // namespace heddle::stream
