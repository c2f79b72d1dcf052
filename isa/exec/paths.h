// The divergence of a warp: which lanes run now, and where the others stand. There are two mechanisms: the SIMT
// stack (simt_stack.h) and Volta's convergence barriers (convergence_barriers.h). Both run the same kernels. The
// running path is kept here, so that the mechanism is asked only where lanes diverge, reconverge or exit.
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

/// The paths of one warp. The running lanes are at pc(). If no lane can run though some live, the warp is stuck for good.
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

  /// The running lanes diverge, each to one of the targets; the first target runs first. All reconverge at
  /// `reconvergence` (kNowhere: where they would have reconverged anyway, if anywhere). With one target, the lanes
  /// stay together, and will reconverge there with what splits off later.
  void split(std::span<const BranchTarget> targets, Pc reconvergence);

  /// The lanes of `taken`, some but not all of the running ones, go on at `target`, the others at
  /// `fall_through`, which run first.
  void diverge(LaneMask taken, Pc target, Pc fall_through, Pc reconvergence);

  /// These running lanes are done.
  void exit(LaneMask lanes);

  // The following do something with convergence barriers only; the SIMT stack ignores them.

  /// BSSY: the lanes will wait for one another at barrier register `name`.
  void arm(unsigned name, LaneMask lanes);
  /// BREAK: the lanes are removed from the register's barrier.
  void leave(unsigned name, LaneMask lanes);
  /// BMOV.32.CLEAR: for these lanes the register is free for another barrier. The one that it named still waits for them;
  /// `kept`, one word a lane, names it for restore().
  void save(unsigned name, LaneMask lanes, std::uint32_t* kept);
  /// BMOV.32: for these lanes the register names the barrier again that was kept. Returns the lanes for which `kept`
  /// names no barrier.
  LaneMask restore(unsigned name, LaneMask lanes, const std::uint32_t* kept);
  /// BSYNC: these running lanes wait at the register; all go on at `next`.
  void sync(unsigned name, LaneMask lanes, Pc next);
  /// These running lanes wait until all live ones of `members` have come to the instruction `at`, too; all
  /// running ones go on at `next`.
  void gather(LaneMask members, LaneMask lanes, Pc at, Pc next);
  /// The running lanes have jumped back: now and then, another path runs then.
  void go_round() {
    if (auto* barriers = std::get_if<ConvergenceBarriers>(&books_)) barriers->go_round(running_);
  }
  /// The running lanes wait for something that other lanes do: another path runs first. Lanes that wait for the running
  /// ones at a reconvergence that no instruction asks for are released. False if no other lane can run.
  bool yield();
  /// YIELD: the same, and lanes that wait at a BSYNC for lanes all of which have yielded are released, too.
  bool yield_by_instruction();

  /// Whether all lanes are where those of `other` are, and wait for the same lanes.
  [[nodiscard]] bool is_same(const Paths& other) const;
  /// Whether all paths that could run have run since turns() was `before`. With the SIMT stack only the running path can:
  /// the others wait for it.
  [[nodiscard]] bool have_all_had_turns(std::uint64_t before) const;
  [[nodiscard]] std::uint64_t turns() const;

  /// Whether lanes wait for the running ones that yield() would release.
  [[nodiscard]] bool may_let_go() const;

  /// The lanes that wait, where, and for whom: for messages.
  [[nodiscard]] std::vector<Wait> waits() const;

  /// How many records are kept beside the running path. Tests bound by it the memory that a warp's paths take.
  [[nodiscard]] std::size_t records() const;

 private:
  /// The running lanes have come to their reconvergence.
  void arrive();

  RunningPath running_;
  std::variant<SimtStack, ConvergenceBarriers> books_;
};

}  // namespace heddle::exec
