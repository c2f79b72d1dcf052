// The path of global and local memory in an SM: L1, what misses or bypasses it, and the replies.
//
//   load    --> L1: hit after l1.latency; miss: request to L2, then a reply
//   store   --> request to L2, nothing comes back
//   atomic  --> request to L2, which does it; old values come back
//   copy    --> as a load, then into shared memory
//   fence   --> request to L2, which answers after what came before
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/base/divisor.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/l1_cache.h"
#include "sim/memory/policies/prefetcher.h"
#include "sim/memory/request.h"
#include "sim/sm/lsu_counters.h"
#include "sim/sm/mio_queues.h"
#include "sim/sm/pending_loads.h"
#include "sim/sm/request_port.h"

namespace heddle::sim {

class L1Watch;

/// The path from the shared stage to L2 and back. The load/store unit owns it.
class L1Path {
 public:
  /// All of these outlive it. L1 holds nothing before resize().
  L1Path(const GpuSpec& spec, RequestPort& port, PendingLoads& loads, LsuCounters& counters);

  [[nodiscard]] const L1Cache& cache() const { return l1_; }
  /// L1 is empty, and has so many bytes. What is on its way to it bypasses it.
  void resize(std::uint64_t bytes);
  /// L1 is empty.
  void invalidate();
  /// Nothing has been asked for on behalf of the grid of this slot.
  void add_grid(GridSlot slot) { l1_.forget_prefetches_of(slot); }
  /// Sets the watch that is told what L1 does; null: none.
  void set_watch(L1Watch* watch) { watch_ = watch; }

  // -- what the shared stage serves at `now` ----------------------------------------------------------------
  /// A load, or a copy that does not bypass L1. False if L1 has no place for its misses: it must be tried
  /// again, before anything else, when a fill has made room.
  bool load(const MioEntry& entry, Cycle now);
  /// A load or a copy that bypasses L1: it asks L2 for all its sectors.
  void load_past_l1(const MioEntry& entry, Cycle now);
  void store(const MioEntry& entry, Cycle now);
  void atomic(const MioEntry& entry, Cycle now);
  /// A fence for the GPU or the system follows the warp's stores to L2. It costs its latency at least.
  void fence(const MioEntry& entry, Cycle now);

  // -- replies ----------------------------------------------------------------------------------------------
  /// Replies enter the SM through a port of limited width, in the order in which they arrive. Returns whether
  /// L1 has been filled, so that it may have room for a load that it refused.
  bool reply(const MemoryReply& reply, Cycle now);
  /// The load that waits for it.
  [[nodiscard]] LoadId load_of(const MemoryReply& reply) const {
    return (reply.tag & kPastL1) != 0 ? reply.tag & ~kPastL1 : l1_.first_waiter(reply.tag);
  }
  /// Prefetches, into the host's caches, what reply() will need for this one, in three steps. It changes no
  /// result.
  void host_prefetch(const MemoryReply& reply, PrefetchStep step) const;

 private:
  static constexpr LoadId kNone = ~0U;

  L1Cache::Lookup look_up(const ResultOwner& owner, const LineAccess& access);
  void tell_load(const MioEntry& entry, std::uint32_t missing, Cycle now);
  void prefetch(const MioEntry& entry, std::uint32_t missing, Cycle now);
  void count_prefetches();
  const std::vector<LoadId>& fill(std::uint32_t entry);
  [[nodiscard]] std::uint32_t write_time_of(const MioEntry& entry) const;

  const GpuSpec& spec_;
  RequestPort& port_;
  PendingLoads& loads_;
  LsuCounters& counters_;
  L1Cache l1_;
  unsigned next_line_ = 0;       // the next line of the load that is served
  LoadId being_served_ = kNone;  // that load
  Divisor reply_sectors_per_cycle_;
  std::uint64_t reply_port_free_ = 0;  // in sectors: cycles x reply_sectors_per_cycle
  L1Watch* watch_ = nullptr;
  std::unique_ptr<Prefetcher> prefetcher_;  // null: L1 has none
  std::vector<PrefetchedLine> wanted_;      // what it wanted at its last access
};

}  // namespace heddle::sim
