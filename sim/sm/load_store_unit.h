// The load/store unit, which loads, stores and shuffles pass: each sub-partition's MIO queue, the stage that
// all of them share, and L1 behind it.
//
//   issue --MioQueues--> shared stage --+--> shared memory, shuffle: result after the class's latency
//    (queue of queue_depth,             +--> L1Path: loads, stores, atomics, copies, fences
//     front_latency, one each           `--> CCTL.IVALL: empties L1
//     address_interval)
//   bulk copies --BulkCopies--> a line a cycle to L2; the data bypass L1
//
// AddressUnit works out what an instruction asks of the stage. The stage serves instructions in the order of
// arrival, one each shared_interval at best; an instruction keeps it for as many cycles as it takes passes
// over the banks, or turns at the banks of tags. What waits for an answer is one of PendingLoads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/sm/address_unit.h"
#include "sim/sm/bulk_copies.h"
#include "sim/sm/l1_path.h"
#include "sim/sm/lsu_counters.h"
#include "sim/sm/mio_queues.h"
#include "sim/sm/pending_loads.h"
#include "sim/sm/request_port.h"

namespace heddle::sim {

/// The load/store unit of one SM. Instructions enter when they issue; all else changes in advance() and
/// reply(), before the SM selects warps in a cycle.
class LoadStoreUnit {
 public:
  /// L1 holds nothing before set_l1().
  LoadStoreUnit(const GpuSpec& spec, SmId sm);
  LoadStoreUnit(const LoadStoreUnit&) = delete;

  /// Adds a grid, for which nothing has been counted.
  void add_grid(GridSlot slot);
  /// Whether memory instructions of the grid are under way, or wait for something that is.
  [[nodiscard]] bool has_in_flight(GridSlot slot) const;
  /// L1 is empty, and has so many bytes. What is on its way to it bypasses it.
  void set_l1(std::uint64_t bytes) { l1_.resize(bytes); }
  /// Sets the watch that is told what L1 does; null: none.
  void set_l1_watch(L1Watch* watch) { l1_.set_watch(watch); }

  // -- issue ------------------------------------------------------------------------------------------------
  [[nodiscard]] bool has_room(unsigned sub_partition) const { return queues_.has_room(sub_partition); }
  /// Whether instructions of the warp have not reached the shared stage yet.
  [[nodiscard]] bool has_queued(WarpSlot slot) const { return queues_.has(slot); }
  /// An instruction enters its sub-partition's queue; there must be room. Returns when it arrives at the
  /// shared stage.
  Cycle accept(unsigned sub_partition, Cycle now, const ResultOwner& owner, const stream::WarpStep& step) {
    MioEntry& entry = queues_.push(sub_partition, owner, now);
    addresses_.describe(entry, step);
    look_ahead();
    return entry.arrival;
  }
  /// A bulk copy of pieces of global memory begins; no lane names them, and no queue is passed.
  void start_bulk(const ResultOwner& owner, std::span<const Addr> pieces, std::uint32_t piece_bytes,
                  Cycle now) {
    bulk_.start(owner, pieces, piece_bytes, now);
  }

  // -- time -------------------------------------------------------------------------------------------------
  /// The first cycle at which advance() has something to do, apart from replies.
  [[nodiscard]] Cycle next() const { return std::min(next_, bulk_.next()); }
  /// Moves what can move at `now`. Calls come in the order of time; one too early changes nothing.
  void advance(Cycle now);
  /// No store is sent before `until`; what comes behind one in the shared stage, or among bulk copies, waits
  /// with it.
  void hold_stores(Cycle until) { stores_from_ = std::max(stores_from_, until); }
  /// The reply to one of `requests()` has arrived.
  void reply(const MemoryReply& reply, Cycle now) {
    if (l1_.reply(reply, now) && refused_) make_room();
  }

  // -- prefetching into the host's caches: changes no result ------------------------------------------------
  /// reply() will be called for this one, in three steps.
  void host_prefetch(const MemoryReply& reply, PrefetchStep step) const { l1_.host_prefetch(reply, step); }
  /// The owner of the load that waits for the reply.
  [[nodiscard]] const ResultOwner& owner_of(const MemoryReply& reply) const {
    return loads_[l1_.load_of(reply)].owner;
  }
  /// Instructions of the sub-partition may come soon, in two steps.
  void host_prefetch_queue(unsigned sub_partition, PrefetchStep step) const {
    queues_.host_prefetch(sub_partition, step);
  }

  // -- what came of it, for the owner to take and clear -----------------------------------------------------
  std::vector<Completion>& completions() { return loads_.completions(); }
  std::vector<MemoryRequest>& requests() { return port_.requests(); }
  /// Sub-partitions whose queue has got room; bit i is sub-partition i.
  std::uint32_t take_freed() { return queues_.take_freed(); }

  [[nodiscard]] const MemoryCounters& counters(GridSlot grid) const { return counters_.of(grid); }
  /// Sets the ledger by instruction; null: none. Only the grids that it has are counted there.
  void count_in(PcLedger* ledger) { counters_.count_in(ledger); }

 private:
  /// To be called after each change of what next() depends on.
  void look_ahead() {
    const Cycle arrival = queues_.first_arrival();
    next_ = refused_ || arrival == kNever ? kNever : std::max(stage_free_, arrival);
  }
  void make_room();
  [[nodiscard]] bool is_held(const MioEntry& entry, Cycle now) const;
  bool serve(const MioEntry& entry, Cycle now);
  void serve_here(const MioEntry& entry, Cycle now);
  [[nodiscard]] Cycle stage_time(const MioEntry& entry) const;

  const GpuSpec& spec_;
  Cycle next_ = kNever;  // when the stage takes the next entry
  Cycle stage_free_ = 0;
  Cycle stores_from_ = 0;  // before, none is sent
  bool refused_ = false;   // the first entry waits for a fill
  MioQueues queues_;
  LsuCounters counters_;
  RequestPort port_;
  PendingLoads loads_;
  L1Path l1_;
  AddressUnit addresses_;
  BulkCopies bulk_;
};

}  // namespace heddle::sim
