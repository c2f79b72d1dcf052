// Which lanes of a warp run now, and where the others stand. Two mechanisms keep the books: the SIMT stack
// (simt_stack.h) and Volta's convergence barriers (convergence_barriers.h). Both run the same kernels. The
// path that runs lies here, so that they are asked only where lanes part, meet or exit.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "isa/exec/convergence_barriers.h"
#include "isa/exec/divergence.h"
#include "isa/exec/running_path.h"
#include "isa/exec/simt_stack.h"

namespace heddle::exec {

/// The lanes that run stand at pc(). Where none is left to run though some live, the warp is stuck for good.
class Paths {
 public:
  explicit Paths(Divergence divergence = Divergence::Stack);

  void start(LaneMask lanes, Pc pc);

  [[nodiscard]] Pc pc() const { return running_.pc; }
  [[nodiscard]] LaneMask active() const { return running_.lanes; }
  [[nodiscard]] LaneMask live() const { return running_.live; }

  /// The running lanes go on at `pc`, together.
  void advance(Pc pc) {
    running_.pc = pc;
    if (pc == running_.reconvergence) arrive();
  }

  /// The running lanes part, each to one of the targets; the first target runs first. All meet at
  /// `reconvergence` (kNowhere: where they would have met anyway, if anywhere). One target alone is a promise
  /// to meet there.
  void split(std::span<const BranchTarget> targets, Pc reconvergence);

  /// The lanes of `taken`, some but not all of the running ones, go on at `target`, the others at
  /// `fall_through`, which run first.
  void diverge(LaneMask taken, Pc target, Pc fall_through, Pc reconvergence);

  /// These running lanes are done.
  void exit(LaneMask lanes);

  // What convergence barriers do; nothing under the stack.

  /// BSSY: the lanes will wait for one another at barrier register `name`.
  void arm(unsigned name, LaneMask lanes);
  /// BREAK: nobody waits for these lanes at the register any more.
  void leave(unsigned name, LaneMask lanes);
  /// BMOV.32.CLEAR: nobody comes to the register's barrier under its name any more, though it waits for whom it did.
  /// What names it to restore() goes to `kept`, one word a lane.
  void save(unsigned name, LaneMask lanes, std::uint32_t* kept);
  /// BMOV.32: these lanes are waited for at the register's barrier that was kept. The lanes for which `kept` names none.
  LaneMask restore(unsigned name, LaneMask lanes, const std::uint32_t* kept);
  /// BSYNC: these running lanes wait at the register; all go on at `next`.
  void sync(unsigned name, LaneMask lanes, Pc next);
  /// These running lanes wait until all live ones of `members` have come to the instruction `at`, too; all
  /// running ones go on at `next`.
  void gather(LaneMask members, LaneMask lanes, Pc at, Pc next);
  /// The running lanes have gone round a loop: now and then, another path has a turn.
  void go_round() {
    if (auto* barriers = std::get_if<ConvergenceBarriers>(&books_)) barriers->go_round(running_);
  }
  /// The running lanes wait for something that others do: let these go first, and wait no longer where only
  /// the running lanes are missing at a reconvergence that no instruction asks for. False if nobody else can
  /// run.
  bool yield();

  /// All lanes stand where those of `other` do, and wait for the same ones.
  [[nodiscard]] bool is_same(const Paths& other) const;
  /// Whether all that could run have had their turns since turns() was `before`. Under the stack others than
  /// the running lanes have none: they wait for these.
  [[nodiscard]] bool have_all_had_turns(std::uint64_t before) const;
  [[nodiscard]] std::uint64_t turns() const;

  /// Whether the running lanes, when they yield, let others go who wait for them.
  [[nodiscard]] bool may_let_go() const;

  /// The lanes that wait, where, and for whom: for messages.
  [[nodiscard]] std::vector<Wait> waits() const;

  /// Records kept beside the running path: what bounds the memory that a warp's paths take.
  [[nodiscard]] std::size_t records() const;

 private:
  /// The running lanes have come to where they meet others.
  void arrive();

  RunningPath running_;
  std::variant<SimtStack, ConvergenceBarriers> books_;
};

}  // namespace heddle::exec
