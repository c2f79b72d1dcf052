// Convergence barriers with independent thread scheduling, as NVIDIA GPUs have them from Volta on ("Execution of
// divergent threads using a convergence barrier", US patent application 2016/0019066).
//
// A warp is a set of paths, each some lanes that stand at one instruction; one of them runs at a time. BSSY makes
// the running lanes members of a barrier, and BSYNC holds a lane until all members that still live are there. Where
// the text has no BSSY, a branch at which lanes part makes a barrier at the place where they must meet again: that
// costs no instruction, and it does not hold back lanes for the sake of others that yield.
//
// Paths that stand at the same instruction without a barrier between them stay apart.
#pragma once

#include "isa/exec/paths.h"

namespace heddle::exec {

class ConvergenceBarriers final : public Paths {
 public:
  void start(LaneMask lanes, Pc pc) override;
  void split(std::span<const Way> ways, Pc meeting) override;
  void exit(LaneMask lanes) override;
  void arm(unsigned name, LaneMask lanes) override;
  void leave(unsigned name, LaneMask lanes) override;
  void sync(unsigned name, LaneMask lanes, Pc next) override;
  void gather(LaneMask members, LaneMask lanes, Pc at, Pc next) override;
  void take_turns() override;
  bool yield() override;
  [[nodiscard]] std::vector<Wait> waits() const override;

 protected:
  void arrive() override;

 private:
  /// A place among the barriers.
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  // Barriers beside those of registers B0 to B15.
  static constexpr unsigned kImplicit = 16;  ///< Made by a branch.
  static constexpr unsigned kGather = 17;    ///< Made by an instruction at which lanes gather.

  struct Barrier {
    unsigned name = kImplicit;
    LaneMask members = 0;  ///< 0: the place is free.
    LaneMask waiting = 0;
    Pc meeting = kNowhere;  ///< The instruction at which lanes wait; for registers, any BSYNC.
    Index outer = kNone;   ///< Implicit ones nest; the members of one are members of all around it.
  };

  struct Path {
    Pc pc = 0;
    LaneMask lanes = 0;
    Index inner = kNone;  ///< The innermost implicit barrier.
  };

  struct Waiter {
    Path path;
    Index barrier = kNone;
  };

  [[nodiscard]] Path take_running(Pc pc);
  void run_next();
  void add(const Path& path);
  void wait(Index index, const Path& path);
  void remove(Index index, LaneMask lanes);
  void let_go(Index index);
  bool let_any_go();
  void join(std::vector<Path>& paths, const Path& path) const;
  void leave_inner(const Path& path);
  Index make(const Barrier& barrier);
  [[nodiscard]] bool lies_within(Index index, Index outer) const;
  [[nodiscard]] Index common(Index one, Index other) const;

  Index inner_ = kNone;          // of the running path
  std::vector<Path> ready_;      // the last one runs next
  std::vector<Waiter> waiters_;  // in the order of their arrival
  std::vector<Barrier> barriers_;
};

}  // namespace heddle::exec
