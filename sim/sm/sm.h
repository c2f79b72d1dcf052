// A streaming multiprocessor: resident blocks and warps, sub-partitions that issue them, the load/store unit.
//
//   block starts -> [warp pool] -----> sub-partitions: ready? pipe free? -> policy -> issue
//                        ^                                                      |
//                        |  scoreboard (when registers are ready) <- results ---+--> MIO -> L1 -> outbox
//                        `------- barriers, exits: block done                              inbox <- replies
//
// Time is jumped: run() goes from one cycle in which something can happen to the next.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "isa/base/pool.h"
#include "isa/stream/deadlock_watch.h"
#include "sim/events/observer.h"
#include "sim/ledger/sm_counters.h"
#include "sim/memory/constant_cache.h"
#include "sim/memory/instruction_caches.h"
#include "sim/sm/class_timings.h"
#include "sim/sm/inbox.h"
#include "sim/sm/l1_watch.h"
#include "sim/sm/load_store_unit.h"
#include "sim/sm/residency.h"
#include "sim/sm/resident_blocks.h"
#include "sim/sm/warp_context.h"
#include "sim/sm/warpgroup_products.h"

namespace heddle::sim {

/// How all SMs of a device go through time, and who looks on. Changes only between quanta.
struct SmWatch {
  bool visit_every_cycle = false;  ///< Reference mode: same results, no jumps.
  Observer* observer = nullptr;
  CycleRange samples;
};

/// A block that will start, for which there is room.
struct BlockStart {
  Cycle at = 0;
  BlockId block = 0;
  GridSlot grid = 0;
  bool sets_l1 = false;  ///< L1 is emptied, and gets the size that the grid's carve-out leaves.
};

struct BlockEnd {
  Cycle at = 0;
  BlockId block = 0;
  GridSlot grid = 0;
};

class Sm {
 public:
  /// All of these outlive it.
  Sm(const GpuSpec& spec, const ClassTimings& timings, const SmWatch& watch, SmId id);

  // -- between quanta --------------------------------------------------------------------------------------
  /// Blocks of the grid may come, whose warps the source has. Nothing has been counted for it. The grid must
  /// stay until it is removed.
  void add_grid(const Grid& grid, std::unique_ptr<stream::WarpSource> source);
  /// All its blocks have ended, and holds() says that nothing of it is under way.
  void remove_grid(GridSlot slot);
  [[nodiscard]] const stream::WarpSource* source(GridSlot slot) const { return grids_[slot].source.get(); }
  /// Whether memory instructions of the grid are under way.
  [[nodiscard]] bool holds(GridSlot slot) const { return lsu_.holds(slot); }
  /// Calls come in the order of time.
  void schedule_block(const BlockStart& start) { starts_.push_back(start); }
  void set_tail(GridSlot slot, Cycle from) { residency_.set_tail(slot, from); }
  /// A reply will arrive, not before the next quantum.
  void deliver(const MemoryReply& reply) { inbox_.deliver(reply); }
  /// Memory has too many stores: no more are sent before `until`.
  void hold_stores(Cycle until) { lsu_.hold_stores(until); }

  /// Requests that leave, in the order of their time; the caller takes them.
  std::vector<MemoryRequest>& requests() { return lsu_.requests(); }
  /// Blocks that have ended since the last look, in order; the caller clears them.
  std::vector<BlockEnd>& finished_blocks() { return finished_blocks_; }

  // -- a quantum -------------------------------------------------------------------------------------------
  /// The first cycle at which something can happen; kNever if nothing can without a reply or a block.
  [[nodiscard]] Cycle next() const;
  /// Runs the cycles from `begin`, the end of the last quantum or later, up to but not including `end`.
  /// Meanwhile announces the SM that runs after this one on the same thread, if there is one.
  void run(Cycle begin, Cycle end, const Sm* following);

  // -- announcing that it will run soon; only the host's speed can tell -------------------------------------
  [[nodiscard]] std::size_t warp_slots() const { return warps_.size(); }
  /// The warp of the slot, if there is one; in the order of the slots.
  void host_prefetch_warp(WarpSlot slot) const;
  /// A sub-partition, if there are so many, and its queue, in two steps.
  void host_prefetch_sub_partition(std::size_t number, PrefetchStep step) const;
  /// What find_replies() looks at, and the blocks.
  void host_prefetch_lists() const;
  /// The replies that will be taken before `end`, in any order.
  void find_replies(Cycle end, std::vector<MemoryReply>& found) const { inbox_.find(end, found); }
  /// One of them, in three steps.
  void host_prefetch(const MemoryReply& reply, PrefetchStep step) const;

  /// Warp instructions so far, of grids in whose slots no others have come.
  [[nodiscard]] std::uint64_t issued() const;

  // -- at the end ------------------------------------------------------------------------------------------
  /// All that was counted for a grid; of warp slots, those without which the SM had no block are left out.
  [[nodiscard]] SmCounters counters(GridSlot slot) const;
  /// Cycles with a block of any grid before `now`, which is not before what has happened.
  [[nodiscard]] Cycle active_cycles(Cycle now) const { return residency_.active_cycles(now); }
  /// Appends the warps that have not exited. False if something else can happen, too: a block starts, or one
  /// has exited but not ended.
  bool find_live(std::vector<stream::LiveWarp>& live) const;
  /// What the resident warps wait for, one line each, at most `most` of them.
  [[nodiscard]] std::vector<std::string> waiting_warps(std::size_t most) const;

 private:
  /// A grid that may have blocks here, and what the SM itself counts for it.
  struct GridPart {
    const Grid* grid = nullptr;  // null: there is none in this slot
    std::unique_ptr<stream::WarpSource> source;
    std::uint64_t partial_issues = 0;  // those that not all lanes executed
    SmCounters counters;
  };

  /// A bulk copy into a block's shared memory that is under way.
  struct BulkLoad {
    std::uint32_t block = 0;  // index in blocks_
    std::uint64_t serial = 0;
    bool has_barrier = false;
    std::uint32_t barrier = 0;
    std::uint64_t bytes = 0;
    std::uint32_t copies_per_phase = 0;
  };

  void add_warp_slots(GridSlot slot, SmCounters& counters) const;
  [[nodiscard]] SmCounters& counters_of(const WarpContext& warp) { return grids_[warp.grid].counters; }

  bool cycle(Cycle now);
  void host_prefetch_issues(WarpSlot slot) const;
  void sample(Cycle now) const;
  void take_replies(Cycle now);
  void advance_memory(Cycle now);
  void start_blocks(Cycle now);
  void start_block(const BlockStart& start, Cycle now);
  void start_warp(WarpSlot slot, std::uint32_t block, std::uint32_t warp_in_block, Cycle now);
  void make_instruction_caches();

  void issue(SubPartition& sub_partition, WarpSlot slot, Cycle now);
  void issue_any(SubPartition& sub_partition, WarpSlot slot, const stream::WarpStep& step, Cycle now);
  void count_lanes(const WarpContext& warp, const stream::WarpStep& step);
  void notify(const WarpContext& warp, WarpSlot slot, const stream::StaticOp& op,
              const stream::WarpStep& step, Cycle now) const;
  static void book_results(WarpContext& warp, const stream::StaticOp& op, const ClassTiming& timing,
                           Cycle now);
  Cycle constants_late(const WarpContext& warp, const stream::StaticOp& op, const stream::WarpStep& step,
                       Cycle now);
  ReadyTime caches_ready(const WarpContext& warp, Cycle from);
  [[nodiscard]] ReadyTime many_ready(const WarpContext& warp, WarpSlot slot, Cycle from);
  /// Fast: after an issue on an SM that has no instruction cache and no observer. General: after any issue.
  /// HeldBack: a warp that waited for something else before.
  enum class IssuePath : std::uint8_t { Fast, General, HeldBack };
  template <IssuePath kPath>
  void wait_for_operands(SubPartition& sub_partition, WarpContext& warp, WarpSlot slot, Cycle from,
                         ReadyTime earliest);
  void resume(WarpSlot slot, Cycle from, ReadyTime earliest);
  void complete(const Completion& completion, Cycle now);

  void continue_warp(WarpSlot slot, const stream::StaticOp& op, const stream::WarpStep& step, Cycle now);
  [[nodiscard]] ReadyTime more_waits(WarpSlot slot) const;
  [[nodiscard]] ReadyTime sums_wait(const WarpContext& warp) const;
  void start_product(WarpSlot slot, const stream::StaticOp& op, Cycle now);
  [[nodiscard]] Cycle product_cycles(const stream::StaticOp& op) const;
  void meet_warpgroup(WarpSlot slot, Cycle now);
  [[nodiscard]] Cycle cycles_of(std::uint32_t nanoseconds) const;
  [[nodiscard]] BlockMbarriers& async_of(const WarpContext& warp);
  void use_barriers(WarpSlot slot, const stream::StaticOp& op, const stream::AsyncStep& step, Cycle now);
  void wait_for_phase(WarpSlot slot, const stream::StaticOp& op, const stream::AsyncStep& step, Cycle now);
  void wait_for(const PhaseWait& wait, Cycle now);
  [[nodiscard]] bool waits_for_others(WarpSlot slot) const;
  void end_waits(std::uint32_t block, std::uint32_t barrier, Cycle from);
  void release_stuck(std::uint32_t index, Cycle from);
  void arrive_after_copies(WarpSlot slot, const stream::AsyncStep& step, Cycle now);
  void arrive_for_copies(WarpSlot slot, Cycle from);
  void start_bulk_copy(WarpSlot slot, const stream::StaticOp& op, const stream::AsyncStep& step, Cycle now);
  void end_bulk_load(std::uint32_t id, Cycle done, Cycle now);
  void arrive(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use, Cycle now);
  Cycle take_arrival(Cycle now);
  void release(ResidentBlock& block, unsigned barrier, Cycle taken, Cycle now);
  void exit_warp(WarpSlot slot, Cycle now);
  void end_drained(Cycle now);
  void leave(WarpSlot slot, Cycle at);
  void end_block(std::uint32_t index, Cycle end);

  [[nodiscard]] SubPartition& sub_partition_of(const WarpContext& warp) {
    return sub_partitions_[warp.sub_partition];
  }

  const GpuSpec& spec_;
  const ClassTimings& timings_;
  const SmWatch& watch_;
  SmId id_;
  LaneMask all_lanes_;
  std::vector<SubPartition> sub_partitions_;
  unsigned stride_;  // between the slots of one of them
  LoadStoreUnit lsu_;
  L1Watch l1_watch_;
  ConstantCache constants_;
  std::unique_ptr<InstructionCaches> instructions_;  // null: all are always there
  bool asks_caches_ = false;                         // before each instruction
  bool is_plain_ = false;  // in this quantum: nobody looks on, and no cache is asked
  std::vector<WarpContext> warps_;
  std::vector<WarpgroupProducts> products_;  // beside warps_
  std::vector<GridPart> grids_;              // by slot
  ResidentBlocks blocks_;
  Pool<BulkLoad> bulk_loads_;
  std::vector<const stream::StaticOp*> first_ops_;
  std::deque<BlockStart> starts_;
  Inbox inbox_;
  std::vector<WarpSlot> draining_;
  std::vector<BlockEnd> finished_blocks_;
  std::uint64_t ages_ = 0;
  Cycle barrier_free_ = 0;  // when the barrier unit has taken all that came
  Residency residency_;
};

}  // namespace heddle::sim
