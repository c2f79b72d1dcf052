// Listens to a run and keeps its history. Memory is bounded, however long the run is.
#pragma once

#include <map>
#include <vector>

#include "sim/events/observer.h"
#include "tools/history/run_history.h"

namespace heddle::history {

/// Observes one run, of one grid, that is counted by instruction: otherwise no stalls are heard.
class HistoryRecorder final : public sim::Observer {
 public:
  explicit HistoryRecorder(std::uint32_t sms);

  [[nodiscard]] sim::EventKinds wanted() const override { return {.stall_sms = kWatchedSm + 1}; }
  void warp_issued(const sim::WarpIssued& event) override;
  void warp_stalled(const sim::WarpStalled& event) override;
  void block_started(const sim::BlockStarted& event) override;
  void block_ended(const sim::BlockEnded& event) override;
  void memory_served(const sim::MemoryServed& event) override;

  /// Call this once, after the run, with its number of cycles. The recorder is empty then.
  RunHistory take(Cycle cycles);

 private:
  /// The blocks that an SM holds.
  struct Residents {
    std::map<BlockId, std::uint32_t> warps;  ///< Of each block.
    std::uint64_t all_warps = 0;
    Cycle since = 0;  ///< Up to then, resident cycles are counted.
  };
  /// A block of the watched SM and the stays of its warps.
  struct WatchedBlock {
    Cycle from = 0;
    std::map<std::uint32_t, WarpSlot> slots;  ///< By warp, as they are heard of.
  };

  /// Where the cycle is counted. Doubles the buckets' width until they are few enough.
  std::size_t bucket_of(Cycle cycle);
  void widen();
  void count_residents(SmId sm, Cycle until);
  void place(BlockId block, std::uint32_t warp_in_block, WarpSlot slot);
  void end_watched(BlockId block, Cycle until);
  void add(Slice slice);
  void thin();

  RunHistory history_;
  std::vector<Residents> residents_;                // by SM
  std::map<BlockId, WatchedBlock> watched_blocks_;  // resident on the watched SM
};

}  // namespace heddle::history
