// A streaming multiprocessor: resident blocks and warps, sub-partitions that issue them, the load/store unit,
// and the units that hold warps back and let them go on.
//
//   block starts -> [scoreboard] ---> sub-partitions: ready? pipe free? -> policy -> issue
//                        ^                                                    |
//                        |  when registers are ready <-- results -------------+--> MIO -> L1 -> requests
//                        |                                                    |        inbox <- replies
//                        `--- resume -- barrier unit, async unit, warpgroups <+
//                                                                             `--> exit: block done
//
// Time is jumped: run() goes from one cycle in which something can happen to the next.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sim/events/observer.h"
#include "sim/ledger/sm_counters.h"
#include "sim/sm/async_unit.h"
#include "sim/sm/barrier_unit.h"
#include "sim/sm/inbox.h"
#include "sim/sm/l1_watch.h"
#include "sim/sm/residency.h"
#include "sim/sm/resident_grids.h"
#include "sim/sm/sm_view.h"
#include "sim/sm/warpgroup_unit.h"

namespace heddle::sim {

/// How all SMs of a device go through time, and what they write down for the observer. Changes only between
/// quanta.
struct SmWatch {
  bool visit_every_cycle = false;  ///< Reference mode: same results, no jumps.
  EventKinds heard = kNoEvents;
  CycleRange samples;
};

/// A block that will start, for which there is room.
struct BlockStart {
  Cycle at = 0;
  BlockId block = 0;
  GridSlot grid = 0;
  bool sets_l1 = false;  ///< L1 is emptied, and gets the size that the grid's carve-out leaves.
};

/// A block that has ended: its place is free from `at` on.
struct BlockEnd {
  Cycle at = 0;
  BlockId block = 0;
  GridSlot grid = 0;
};

/// One SM. Its device owns it and runs it a quantum at a time, perhaps on another thread than the other SMs;
/// what it says to the rest of the GPU, and hears from it, passes between quanta.
class Sm {
 public:
  /// All of these outlive it.
  Sm(const GpuSpec& spec, const ClassTimings& timings, const SmWatch& watch, SmId id);
  Sm(const Sm&) = delete;

  // -- between quanta ---------------------------------------------------------------------------------------
  /// Adds a grid, of which blocks may come; the source has their warps. Nothing has been counted for it.
  /// `grid` must live until remove_grid().
  void add_grid(const Grid& grid, std::unique_ptr<stream::WarpSource> source);
  /// Removes a grid. All its blocks must have ended, and has_in_flight() must be false.
  void remove_grid(GridSlot slot);
  /// Whether memory instructions of the grid are under way.
  [[nodiscard]] bool has_in_flight(GridSlot slot) const { return lsu_.has_in_flight(slot); }
  /// A block will start. Calls come in the order of time.
  void schedule_block(const BlockStart& start) {
    starts_.push_back(start);
    is_touched_ = true;
  }
  /// No block of the grid will come any more: free warp slots count as tail from then on. Called before time
  /// gets there.
  void set_tail(GridSlot slot, Cycle from) { residency_.set_tail(slot, from); }
  /// Puts a reply into the inbox. It arrives in the next quantum or later.
  void deliver(const MemoryReply& reply) { inbox_.deliver(reply); }
  /// Holds the SM's stores, because memory is behind: none is sent before `until`.
  void hold_stores(Cycle until) { lsu_.hold_stores(until); }

  /// The requests to L2 that have left, in the order of their time. The exchange takes them out.
  std::vector<MemoryRequest>& requests() { return lsu_.requests(); }
  /// The blocks that have ended since the last look, in order; the caller clears them.
  std::vector<BlockEnd>& finished_blocks() { return finished_blocks_; }
  /// The events since the last look that the observer wants; the caller takes them.
  std::vector<Event>& events() { return events_; }

  /// Sets the ledger by instruction; null: none. Only the grids that it has are counted there. Nobody else
  /// uses the ledger while the SM runs.
  void count_in(PcLedger* ledger);

  // -- a quantum --------------------------------------------------------------------------------------------
  /// The first cycle at which something can happen; kNever if nothing can without a reply or a block.
  [[nodiscard]] Cycle next() const;
  /// Runs the cycles from `begin`, the end of the last quantum or later, up to but not including `end`.
  /// Prefetches into the host's caches what `following` needs, which the same thread runs next.
  void run(Cycle begin, Cycle end, const Sm* following);

  // -- for observers and reports ----------------------------------------------------------------------------
  [[nodiscard]] SmView view() const {
    return {grids_,    blocks_,     residency_, warps_, sub_partitions_,
            barriers_, warpgroups_, async_,     lsu_,   inbox_};
  }
  /// Whether it is no other than a new one would be. While it has no grid.
  [[nodiscard]] bool is_as_new() const { return !is_touched_ && !caches_.has_instruction_caches(); }
  /// Whether nothing can happen but what resident warps do: no block will start, and no exited warp drains.
  [[nodiscard]] bool is_settled() const { return starts_.empty() && draining_.empty(); }
  /// All that was counted for a grid, except for warp slots in cycles in which the SM had no block.
  [[nodiscard]] SmCounters counters(GridSlot slot) const;

 private:
  bool cycle(Cycle now);
  void advance_memory(Cycle now);
  void complete(const Completion& completion, Cycle now);

  void issue(SubPartition& sub_partition, WarpSlot slot, Cycle now);
  void issue_any(SubPartition& sub_partition, WarpSlot slot, const stream::WarpStep& step, Cycle now);
  void continue_warp(WarpSlot slot, const stream::StaticOp& op, const stream::WarpStep& step, Cycle now);

  void start_block(const BlockStart& start, Cycle now);
  void exit_warp(WarpSlot slot, Cycle now);
  void end_drained(Cycle now);
  void leave(WarpSlot slot, Cycle at);
  void end_block(std::uint32_t index, Cycle end);
  void release_stuck(std::uint32_t block, Cycle from);
  void tell_stalls(Cycle now);

  const GpuSpec& spec_;
  const ClassTimings& timings_;
  const SmWatch& watch_;
  SmId id_;
  LaneMask all_lanes_;
  std::vector<SubPartition> sub_partitions_;
  unsigned stride_;       // their number: slot w * stride_ + i is warp w of sub-partition i
  bool is_touched_ = false;  // a block has come, or was to come, or somebody counts by instruction
  bool is_fast_ = false;  // no observer hears of issues, and the instruction caches are not modelled
  IssueCaches caches_;
  Scoreboard warps_;
  LoadStoreUnit lsu_;
  L1Watch l1_watch_;
  ResidentGrids grids_;
  ResidentBlocks blocks_;
  BarrierUnit barriers_;
  WarpgroupUnit warpgroups_;
  AsyncUnit async_;
  std::vector<const stream::StaticOp*> first_ops_;
  std::deque<BlockStart> starts_;
  Inbox inbox_;
  std::vector<WarpSlot> draining_;
  std::vector<BlockEnd> finished_blocks_;
  std::vector<Event> events_;
  std::vector<StallSpan> stalls_;  // not told yet
  std::uint64_t ages_ = 0;  // warps that have started; the age of the next
  Residency residency_;
};

}  // namespace heddle::sim
