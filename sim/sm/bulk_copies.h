// Bulk copies of an SM: they move pieces of global memory that no lane names, and bypass L1.
//
// The lines of the pieces, each once if pieces beside each other share it, leave in the order in which they
// are named, a line a cycle, unless stores are held: a choice, nothing is published. Loads are done as an
// asynchronous copy of one pass is; stores, and copies of which no piece lies in bounds, when L2 has served
// what they sent.
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "sim/config/gpu_spec.h"
#include "sim/memory/coalescer.h"
#include "sim/sm/lsu_counters.h"
#include "sim/sm/pending_loads.h"
#include "sim/sm/request_port.h"

namespace heddle::sim {

/// The bulk copies whose lines have not all left. The load/store unit owns it and advances it.
class BulkCopies {
 public:
  /// All of these outlive it.
  BulkCopies(const GpuSpec& spec, RequestPort& port, PendingLoads& loads, LsuCounters& counters)
      : spec_(spec), port_(port), loads_(loads), counters_(counters) {}

  void start(const ResultOwner& owner, std::span<const Addr> pieces, std::uint32_t piece_bytes, Cycle now);
  /// When the next line can leave; kNever if there is none.
  [[nodiscard]] Cycle next() const { return next_; }
  /// Sends a line, if it can leave at `now`, which is not before next(). Stores leave from `stores_from` on.
  void advance(Cycle now, Cycle stores_from);
  [[nodiscard]] bool has_grid(GridSlot slot) const;

 private:
  std::uint64_t queue_lines(const MemoryRequest& request, std::span<const Addr> pieces,
                            std::uint32_t piece_bytes);

  const GpuSpec& spec_;
  RequestPort& port_;
  PendingLoads& loads_;
  LsuCounters& counters_;
  std::deque<MemoryRequest> lines_;  // to be sent: one a cycle, none before its time
  Cycle next_ = kNever;              // when the first of them is
  Cycle free_ = 0;                   // when one can leave again
};

}  // namespace heddle::sim
