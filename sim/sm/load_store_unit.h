// The way of loads, stores and shuffles: each sub-partition's MIO queue, the stage that all of them share,
// and the first-level cache behind it.
//
//   issue --front_latency--> shared stage --+--> shared memory, shuffle: result after the class's latency
//    (queue of queue_depth, one             +--> L1: hit after l1.latency; miss: request to L2, then a reply
//     each address_interval)                +--> stores: to L2, nothing comes back; may be held
//                                           +--> atomics: to L2, which does them; old values come back
//                                           +--> copies: as loads, then into shared memory
//                                           +--> fences: to L2, which answers after what came before
//                                           `--> CCTL.IVALL: empties L1
//   bulk copies --front_latency--> a line a cycle to L2; the data pass L1 by
//
// The stage serves instructions in the order of arrival, one each shared_interval at best; an instruction
// keeps it for as many cycles as it takes passes over the banks, or turns at the banks of tags.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "isa/base/divisor.h"
#include "isa/base/pool.h"
#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/ledger/pc_ledger.h"
#include "sim/memory/bank_conflicts.h"
#include "sim/memory/coalescer.h"
#include "sim/memory/l1_cache.h"
#include "sim/memory/policies/prefetcher.h"
#include "sim/memory/request.h"
#include "sim/memory/tag_banks.h"
#include "sim/memory/translations.h"
#include "sim/sm/grid.h"
#include "sim/sm/ready_time.h"

namespace heddle::sim {

/// Whose result it is: a warp may have left, and another taken its slot, before its load comes back.
struct ResultOwner {
  std::uint16_t slot = 0;  ///< Of the warp.
  GridSlot grid = 0;
  std::uint32_t copy_group = 0;  ///< Of an asynchronous copy.
  std::uint64_t age = 0;
  const stream::StaticOp* op = nullptr;
};

/// The registers that an instruction writes can be used from `ready` on; or its copy or fence is done then.
struct Completion {
  ResultOwner owner;
  ReadyTime ready;
};

class L1Watch;

class LoadStoreUnit {
 public:
  /// L1 holds nothing before set_l1().
  LoadStoreUnit(const GpuSpec& spec, SmId sm);

  /// Nothing has been counted for the grid of this slot.
  void add_grid(GridSlot slot);
  /// Whether instructions of the grid are on their way, or wait for what is.
  [[nodiscard]] bool holds(GridSlot slot) const;
  /// L1 is empty, and has so many bytes. What is on its way to it passes it by.
  void set_l1(std::uint64_t bytes);

  /// Who is told what L1 does, if anybody.
  void set_l1_watch(L1Watch* watch) { l1_watch_ = watch; }

  // -- issue -----------------------------------------------------------------------------------------------
  [[nodiscard]] bool has_room(unsigned sub_partition) const;
  /// Whether instructions of the warp have not reached the shared stage yet.
  [[nodiscard]] bool has_queued(WarpSlot slot) const { return queued_[slot] != 0; }
  /// An instruction enters its sub-partition's queue; there must be room.
  void accept(unsigned sub_partition, Cycle now, const ResultOwner& owner, const stream::WarpStep& step);

  /// A bulk copy of pieces of global memory begins; no lane names them, and no queue is passed.
  void start_bulk(const ResultOwner& owner, std::span<const Addr> pieces, std::uint32_t piece_bytes,
                  Cycle now);

  // -- time ------------------------------------------------------------------------------------------------
  /// The first cycle at which advance() has something to do, apart from replies.
  [[nodiscard]] Cycle next() const { return std::min(next_, bulk_next_); }
  /// Moves what can move at `now`. Calls come in the order of time; one too early changes nothing.
  void advance(Cycle now);
  /// Says that reply() will be called for this one, in three steps. Only the host's speed can tell.
  void host_prefetch(const MemoryReply& reply, PrefetchStep step) const;
  /// Of a load that waits for the reply.
  [[nodiscard]] const ResultOwner& owner_of(const MemoryReply& reply) const {
    return loads_[load_of(reply)].owner;
  }
  /// Says that instructions of the sub-partition may come soon, in two steps.
  void host_prefetch_queue(unsigned sub_partition, PrefetchStep step) const;
  /// No store is sent before `until`; what comes behind one in the shared stage, or among bulk copies, waits
  /// with it.
  void hold_stores(Cycle until) { stores_from_ = std::max(stores_from_, until); }
  /// Data for one of `requests()` have arrived.
  void reply(const MemoryReply& reply, Cycle now);

  // -- what came of it, for the owner to take and clear ----------------------------------------------------
  std::vector<Completion>& completions() { return completions_; }
  std::vector<MemoryRequest>& requests() { return requests_; }
  /// Sub-partitions whose queue has got room; bit i is sub-partition i.
  std::uint32_t take_freed() { return std::exchange(freed_, 0U); }

  [[nodiscard]] const MemoryCounters& counters(GridSlot grid) const { return counters_[grid]; }
  /// From here on it is counted by instruction, too, for the grids that the ledger has; null: for none.
  void count_in(PcLedger* ledger) { pc_ledger_ = ledger; }

 private:
  // An access to one or two lines lies in one line of the host's cache.
  struct alignas(64) Entry {
    Cycle arrival = 0;
    ResultOwner owner;
    std::uint32_t passes = 1;                        // over the banks; of lines: or turns at the tags
    std::uint16_t copy_passes = 1;                   // of copies: to write shared memory
    bool leaves_sectors = false;                     // of stores: in L1
    LineAccesses lines;                              // global and local memory only
    std::array<std::uint32_t, kMaxWarpSize> left{};  // of each line, the sectors that it leaves, if any
    Cycle issued = 0;
  };
  struct Queue {
    std::vector<Entry> ring;
    std::uint32_t head = 0;
    std::uint32_t count = 0;
    Cycle first_arrival = kNever;  // of the entry at the head; kNever if there is none
    Cycle last_arrival = 0;

    [[nodiscard]] Entry& front() { return ring[head]; }
    void pop();
  };
  struct Load {
    ResultOwner owner;
    std::uint32_t waits = 0;
    std::uint32_t write_time = 0;  // of copies: from the arrival of data until they are in shared memory
    Cycle ready_at = 0;
    Cycle issued = 0;
    MemoryLevel level = MemoryLevel::L1;  // the furthest that has answered
    bool loads_data = false;
  };

  static constexpr unsigned kNone = ~0U;
  // Tags of replies that go past L1 to the load they name; the others are miss entries.
  static constexpr std::uint32_t kPastL1 = 1U << 31;

  [[nodiscard]] LoadId load_of(const MemoryReply& reply) const;
  void describe(Entry& entry, const stream::WarpStep& step);
  /// Calls use(counters) with all that count for the instruction: its grid's, and its own if they are wanted.
  template <typename Use>
  void count(GridSlot grid, Pc pc, Use use) {
    use(counters_[grid]);
    if (PcCounters* of_pc = find_counters(pc_ledger_, grid, pc)) use(of_pc->memory);
  }
  template <typename Use>
  void count(const ResultOwner& owner, Use use) {
    count(owner.grid, owner.op->pc, use);
  }
  L1Cache::Lookup look_up(const ResultOwner& owner, const LineAccess& access);
  [[nodiscard]] std::uint64_t excess_sectors(const stream::WarpStep& step, const stream::StaticOp& op,
                                             std::uint64_t sectors) const;
  BankPasses shared_passes(const stream::StaticOp& op, const stream::WarpStep& step);
  void describe_lines(Entry& entry, const stream::WarpStep& step);
  [[nodiscard]] bool comes_before(unsigned one, unsigned other) const;
  void look_ahead();
  [[nodiscard]] bool is_held(const Entry& entry, Cycle now) const;
  bool serve(Entry& entry, Cycle now);
  bool serve_global_load(Entry& entry, Cycle now);
  void serve_global_store(const Entry& entry, Cycle now);
  void describe_copy(Entry& entry, const stream::WarpStep& step);
  void serve_past_l1(const Entry& entry, Cycle now);
  void serve_fence(const Entry& entry, Cycle now);
  void advance_bulk(Cycle now);
  [[nodiscard]] std::uint32_t write_time(const Entry& entry) const;
  [[nodiscard]] std::uint32_t write_time(std::uint32_t passes) const;
  std::uint64_t queue_lines(const MemoryRequest& request, std::span<const Addr> pieces,
                            std::uint32_t piece_bytes);
  void serve_global_atomic(const Entry& entry, Cycle now);
  void serve_here(const Entry& entry, Cycle now);
  [[nodiscard]] Cycle stage_time(const Entry& entry) const;
  [[nodiscard]] Cycle look_up_time() const;
  void complete(const ResultOwner& owner, Cycle ready_at);
  void prefetch(const Entry& entry, std::uint32_t missing, Cycle now);
  void count_prefetches();
  void tell_load(const Entry& entry, std::uint32_t missing, Cycle now);
  const std::vector<LoadId>& fill_l1(std::uint32_t entry);
  void request(Cycle time, const ResultOwner& owner, std::uint32_t tag, const LineAccess& access,
               bool is_store);
  void arrive(LoadId id, MemoryLevel level, Cycle now);
  void finish_load(LoadId id);
  LoadId take_load(const ResultOwner& owner, Cycle issued, bool loads_data);

  const GpuSpec& spec_;
  LineGeometry geometry_;
  TagBanks tag_banks_;
  PassesOfShapes passes_;
  Divisor reply_sectors_per_cycle_;
  SmId sm_;
  std::vector<Queue> queues_;
  unsigned first_queue_ = 0;           // whose entry the stage takes next,
  Cycle next_ = kNever;                // and when
  std::vector<std::uint32_t> queued_;  // by warp slot
  Cycle stage_free_ = 0;
  Cycle stores_from_ = 0;   // before, none is sent
  bool refused_ = false;    // the first entry waits for a fill
  unsigned next_line_ = 0;  // of that entry
  LoadId current_load_ = kNone;
  std::uint64_t reply_port_free_ = 0;  // in sectors: cycles x reply_sectors_per_cycle
  L1Cache l1_;
  L1Watch* l1_watch_ = nullptr;
  Translations translations_;
  std::unique_ptr<Prefetcher> prefetcher_;  // null: L1 has none
  std::vector<PrefetchedLine> wanted_;      // of its last access
  Pool<Load> loads_;
  std::vector<Completion> completions_;
  std::vector<MemoryRequest> requests_;
  std::deque<MemoryRequest> bulk_;  // of bulk copies, to be sent: one a cycle, none before its time
  Cycle bulk_next_ = kNever;        // when the first of them is
  Cycle bulk_free_ = 0;
  std::uint32_t freed_ = 0;               // bit i: sub-partition i
  std::vector<MemoryCounters> counters_;  // by grid
  PcLedger* pc_ledger_ = nullptr;
};

static_assert(kMostSubPartitions <= 32);

}  // namespace heddle::sim
