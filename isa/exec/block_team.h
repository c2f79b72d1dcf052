// Blocks of a launch on several threads, for their results alone.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "isa/base/thread_team.h"
#include "isa/exec/block_runner.h"
#include "isa/exec/functional.h"
#include "isa/exec/transaction.h"
#include "isa/exec/write_commit.h"

namespace heddle::exec {

/// When it is worthwhile to wake threads, and how long they run apart.
struct BlockRounds {
  std::uint64_t few_instructions = 20'000;  ///< Of warps: so many are executed before others are woken.
  std::uint64_t instructions = 200'000;     ///< Of a round, a thread.
};

/// Executes launches on a team of threads. Results, faults and counts are those of blocks one after another:
/// where blocks touch what others write, they are executed so (see Transaction). Kernels in which that has
/// happened are remembered, and begin so. One launch at a time.
class BlockTeam {
 public:
  /// `team` outlives it.
  explicit BlockTeam(ThreadTeam& team, const BlockRounds& rounds = {}) : team_(team), rounds_(rounds) {}

  /// Throws KernelFault as run_functionally() does.
  FunctionalCounts run(LiveKernel& kernel);
  /// Whether the kernel of this name is executed on one thread: because of conflicts, or many atomics.
  [[nodiscard]] bool runs_alone(const std::string& kernel) const { return alone_.contains(kernel); }

 private:
  /// A thread's blocks in a round.
  struct Worker {
    Transaction* transaction;
    std::unique_ptr<BlockRunner> runner;
  };

  /// The blocks from `begin` on, up to `end`. False if they have to be executed one after another; then
  /// nothing has been changed.
  bool run_round(LiveKernel& kernel, BlockId begin, BlockId end);
  void begin_round(LiveKernel& kernel);
  void run_piece(Worker& worker, BlockId begin, BlockId end);
  [[nodiscard]] bool have_conflict() const;
  void take_counts(const std::string& kernel, FunctionalCounts& counts);
  void commit_atomics();

  ThreadTeam& team_;
  BlockRounds rounds_;
  WordOwners owners_;
  std::vector<std::unique_ptr<Transaction>> transactions_;  // by worker
  std::vector<std::unique_ptr<PendingWrites>> atomics_;     // likewise, while they are committed
  std::set<std::string> alone_;                             // kernels
  WriteCommit write_commit_;

  // Of the launch that runs.
  std::vector<Worker> workers_;
  std::atomic<BlockId> next_piece_ = 0;
  std::atomic<bool> has_failed_ = false;
};

}  // namespace heddle::exec
