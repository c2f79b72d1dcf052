// Loads, atomics, copies and fences that wait for data or an answer, and the results whose time is known.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/pool.h"
#include "sim/memory/l1_cache.h"
#include "sim/memory/request.h"
#include "sim/sm/lsu_counters.h"
#include "sim/sm/result_owner.h"

namespace heddle::sim {

/// One memory instruction that waits, from the shared stage until its last piece has come.
struct PendingLoad {
  ResultOwner owner;
  std::uint32_t waits = 0;       ///< Pieces to come, and one more while it is open.
  std::uint32_t write_time = 0;  ///< A copy's: from the arrival of data until they are in shared memory.
  Cycle ready_at = 0;            ///< As far as it is known.
  Cycle issued = 0;
  MemoryLevel level = MemoryLevel::L1;  ///< The furthest that has answered.
  bool loads_data = false;
};

/// All memory instructions of an SM that wait. The load/store unit owns it.
class PendingLoads {
 public:
  /// `counters` outlive it.
  explicit PendingLoads(LsuCounters& counters) : counters_(counters) {}

  /// Whether instructions of the grid wait.
  [[nodiscard]] bool has_grid(GridSlot slot) const;
  [[nodiscard]] const PendingLoad& operator[](LoadId id) const { return loads_[id]; }

  /// Opens a load: pieces can come, but it is not done before close().
  LoadId open(const ResultOwner& owner, Cycle issued, bool loads_data, std::uint32_t write_time = 0);
  /// The load waits for so many more pieces.
  void add_waits(LoadId id, std::uint32_t pieces) { loads_[id].waits += pieces; }
  /// Closes the load: all its pieces are known. It is not done before `ready_at`.
  void close(LoadId id, Cycle ready_at) { arrive(id, MemoryLevel::L1, ready_at); }
  /// One of its pieces has come, or it is not open any more.
  void arrive(LoadId id, MemoryLevel level, Cycle now);
  /// Completes an instruction that waited for nothing outside of the SM.
  void complete(const ResultOwner& owner, Cycle ready_at);

  /// The completions since the last look, for the owner to take and clear.
  std::vector<Completion>& completions() { return completions_; }

 private:
  void finish(LoadId id);

  LsuCounters& counters_;
  Pool<PendingLoad> loads_;
  std::vector<Completion> completions_;
};

}  // namespace heddle::sim
