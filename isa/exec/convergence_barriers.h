// Convergence barriers with independent thread scheduling, as NVIDIA GPUs have them from Volta on ("Execution
// of divergent threads using a convergence barrier", US patent application 2016/0019066).
//
// A warp is a set of paths; each has some lanes that are at one instruction. One path runs at a time. BSSY
// makes the running lanes members of a barrier, and BSYNC holds a lane until all members that still live are
// there. Where the text has no BSSY, a divergent branch makes a barrier at its reconvergence: that costs no
// instruction, and lanes that wait there are released when the lanes that they wait for yield. Those who wait
// at a BSYNC are released if all that they wait for have executed YIELD, which compilers put into loops.
//
// A path runs until it waits, exits or yields, or has been in loops for so long that other paths would
// starve. Which path runs when is not published for any GPU. Paths at the same instruction without a barrier
// between them do not join.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/exec/barrier_table.h"
#include "isa/exec/running_path.h"

namespace heddle::exec {

/// The paths of one warp but for the running one, and the barriers that they wait at. Paths holds one for
/// each warp under Divergence::Barriers and calls it where lanes diverge, reconverge, yield or exit.
class ConvergenceBarriers {
 public:
  static constexpr unsigned kRoundsInATurn = 1024;

  void start();
  void split(RunningPath& running, std::span<const BranchTarget> targets, Pc reconvergence);
  void diverge(RunningPath& running, BranchTarget first, BranchTarget second, Pc reconvergence) {
    const BranchTarget targets[] = {first, second};
    split(running, targets, reconvergence);
  }
  /// These lanes have exited; they are not among the running ones any more.
  void exit(RunningPath& running, LaneMask lanes);
  void arrive(RunningPath& running);

  void arm(unsigned name, LaneMask lanes);
  void leave(unsigned name, LaneMask lanes);
  void save(unsigned name, LaneMask lanes, std::uint32_t* kept) { barriers_.save(name, lanes, kept); }
  LaneMask restore(unsigned name, LaneMask lanes, const std::uint32_t* kept);
  void sync(RunningPath& running, unsigned name, LaneMask lanes, Pc next);
  /// `group`: the instruction, and the lanes that must come to it.
  void gather(RunningPath& running, BranchTarget group, LaneMask lanes, Pc next);
  void go_round(RunningPath& running) {
    if (!ready_.empty() && ++rounds_ == kRoundsInATurn) give_way(running);
  }
  bool yield(RunningPath& running);
  /// YIELD: the same, and a barrier in a register whose missing members have all yielded does not wait for
  /// them: as the patent's claim 1 says, it is cleared once each member is blocked there or has yielded.
  bool yield_by_instruction(RunningPath& running);
  /// How often the running path has yielded to others, or would have if there had been any.
  [[nodiscard]] std::uint64_t turns() const { return turns_; }
  /// How many paths could run, beside the running one.
  [[nodiscard]] std::size_t ready() const { return ready_.size(); }
  /// Whether lanes wait for the running ones at a reconvergence that no instruction asks for: yield()
  /// releases them.
  [[nodiscard]] bool may_let_go() const { return barriers_.awaited_around(inner_) != kNone; }
  /// Whether the same paths are at the same places and wait for the same lanes, and none was released early
  /// between. For how long the running path has run does not count.
  [[nodiscard]] bool is_same(const ConvergenceBarriers& other) const {
    return releases_ == other.releases_ && yielded_ == other.yielded_ && inner_ == other.inner_ &&
           ready_ == other.ready_ && waiters_ == other.waiters_ && barriers_ == other.barriers_;
  }
  [[nodiscard]] std::size_t records() const { return ready_.size() + waiters_.size() + barriers_.size(); }
  [[nodiscard]] std::vector<Wait> waits(const RunningPath& running) const;

 private:
  using Index = BarrierTable::Index;
  using Barrier = BarrierTable::Barrier;
  static constexpr Index kNone = BarrierTable::kNone;
  static constexpr unsigned kImplicit = BarrierTable::kImplicit;

  /// Lanes that stand at one instruction and will run together.
  struct Path {
    Pc pc = 0;
    LaneMask lanes = 0;
    Index inner = kNone;  ///< The innermost implicit barrier.

    friend bool operator==(const Path&, const Path&) = default;
  };

  /// A path that waits at a barrier until all members have come.
  struct Waiter {
    Path path;
    Index barrier = kNone;

    friend bool operator==(const Waiter&, const Waiter&) = default;
  };

  [[nodiscard]] Path take_running(RunningPath& running, Pc pc);
  void run_next(RunningPath& running);
  void give_way(RunningPath& running);
  void add(const Path& path);
  void wait(Index index, const Path& path);
  void remove(Index index, LaneMask lanes);
  void let_go(Index index);
  void release(Index index);
  bool let_any_go();
  void join(std::vector<Path>& paths, const Path& path) const;
  void leave_inner(const Path& path);

  unsigned rounds_ = 0;  // rounds of loops in this turn of the running path
  std::uint64_t turns_ = 0;
  std::uint64_t releases_ = 0;   // how often lanes were released that still waited for others
  Index inner_ = kNone;          // the running path's innermost implicit barrier
  LaneMask yielded_ = 0;         // lanes that have executed YIELD and have not had a turn since
  std::vector<Path> ready_;      // the last one runs next
  std::vector<Waiter> waiters_;  // in the order of their arrival
  BarrierTable barriers_;
  std::vector<Path> spare_;  // room for let_go
};

}  // namespace heddle::exec
