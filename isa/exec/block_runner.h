// Executes blocks of a launch for their results alone, one after another.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/exec/cluster_round.h"
#include "isa/exec/functional.h"
#include "isa/exec/live_source.h"
#include "isa/stream/block_barrier.h"
#include "isa/stream/deadlock_watch.h"
#include "isa/stream/kernel_fault.h"

namespace heddle::exec {

/// The warps of one block in turn, each until it exits or waits at a barrier, or others should have a turn:
/// it may be one of them that it waits for in a loop.
class BlockRunner {
 public:
  /// All of these outlive it. `watch`: who hears of accesses; null: nobody. `transaction`: see LiveSource.
  BlockRunner(LiveKernel& kernel, std::uint64_t most_instructions, AccessWatch* watch = nullptr,
              Transaction* transaction = nullptr);

  /// Throws KernelFault; then it can run nothing more.
  void run(BlockId block);

  [[nodiscard]] const FunctionalCounts& counts() const { return counts_; }
  void clear_counts() { counts_ = {}; }

 private:
  void have_turn(WarpSlot slot);
  void arrive(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use);
  void leave(WarpSlot slot);
  void open_if_complete(unsigned id);
  void meet_cluster(WarpSlot slot, const stream::AsyncStep& step);
  void open_cluster_if_complete();
  void look_for_deadlock();
  [[noreturn]] void fail_over_limit(WarpSlot slot) const;
  [[noreturn]] void fail_deadlocked() const;
  [[noreturn]] void fail(stream::FaultKind kind, const std::string& what, std::optional<Pc> pc = {}) const;

  static constexpr unsigned kNoBarrier = ~0U;
  static constexpr unsigned kCluster = kNoBarrier - 1;  // the barrier of the cluster

  LiveSource source_;
  const LiveKernel& kernel_;
  std::uint64_t most_instructions_;  // that a warp may execute
  AccessWatch* watch_;               // null: nobody hears of accesses
  std::uint32_t warps_;
  std::uint32_t live_ = 0;
  std::vector<WarpSlot> slots_;
  std::vector<const stream::StaticOp*> next_;
  std::vector<Cycle> issued_;       // instructions
  std::vector<unsigned> waits_at_;  // a barrier
  std::array<stream::BlockBarrier, stream::kBarriersPerBlock> barriers_;
  std::uint64_t used_barriers_ = 0;  // a bit each, of those that warps of the block have come to
  ClusterRound cluster_;
  stream::DeadlockWatch deadlock_watch_;
  std::vector<stream::LiveWarp> live_warps_;  // at the last look for one
  FunctionalCounts counts_;
};

}  // namespace heddle::exec
