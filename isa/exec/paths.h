// Which lanes of a warp run now, and where the others stand. Two mechanisms keep the books: the SIMT stack
// (simt_stack.h) and Volta's convergence barriers (convergence_barriers.h). Both run the same kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isa/base/types.h"

namespace heddle::exec {

enum class Divergence : std::uint8_t { Stack, Barriers };

/// "stack" or "barrier"; nothing for other names.
std::optional<Divergence> find_divergence(std::string_view name);

/// Some lanes, and where they go on.
struct Way {
  Pc pc = 0;
  LaneMask lanes = 0;
};

/// Lanes that stand still at an instruction until others come.
struct Wait {
  LaneMask lanes = 0;
  Pc pc = 0;
  LaneMask awaited = 0;
};

/// The lanes that run stand at pc(). Where none is left to run though some live, the warp is stuck for good.
class Paths {
 public:
  static constexpr Pc kNowhere = ~Pc{0};

  virtual ~Paths() = default;

  virtual void start(LaneMask lanes, Pc pc) = 0;

  [[nodiscard]] Pc pc() const { return running_.pc; }
  [[nodiscard]] LaneMask active() const { return running_.lanes; }
  [[nodiscard]] LaneMask live() const { return live_; }

  /// The running lanes go on at `pc`, together.
  void advance(Pc pc) {
    running_.pc = pc;
    if (pc == running_.meeting) arrive();
  }

  /// The running lanes part, each going one of the ways; the first way runs first. All meet at `meeting`
  /// (kNowhere: where they would have met anyway, if anywhere). One way alone is a promise to meet there.
  virtual void split(std::span<const Way> ways, Pc meeting) = 0;

  /// The lanes of `taken`, some but not all of the running ones, go on at `target`, the others at
  /// `fall_through`, which run first.
  void diverge(LaneMask taken, Pc target, Pc fall_through, Pc meeting) {
    const Way ways[] = {{fall_through, running_.lanes & ~taken}, {target, taken}};
    split(ways, meeting);
  }

  /// These running lanes are done.
  virtual void exit(LaneMask lanes) = 0;

  // What convergence barriers do; nothing under the stack.

  /// BSSY: the lanes will wait for one another at barrier register `name`.
  virtual void arm(unsigned name, LaneMask lanes);
  /// BREAK: nobody waits for these lanes at the register any more.
  virtual void leave(unsigned name, LaneMask lanes);
  /// BSYNC: these running lanes wait at the register; all go on at `next`.
  virtual void sync(unsigned name, LaneMask lanes, Pc next);
  /// These running lanes wait until all live ones of `members` have come to the instruction `at`, too; all running
  /// ones go on at `next`.
  virtual void gather(LaneMask members, LaneMask lanes, Pc at, Pc next);
  /// The running lanes have gone round a loop: another path may have a turn.
  virtual void take_turns();
  /// The running lanes wait for something that others do: let these go first, and wait no longer where only the
  /// running lanes are missing at a meeting that no instruction asks for. False if nobody else can run.
  virtual bool yield();

  /// Who stands where, for messages.
  [[nodiscard]] virtual std::vector<Wait> waits() const = 0;

 protected:
  struct Running {
    Pc pc = 0;
    Pc meeting = kNowhere;
    LaneMask lanes = 0;
  };

  /// The running lanes have come to where they meet others.
  virtual void arrive() = 0;

  Running running_;
  LaneMask live_ = 0;
};

std::unique_ptr<Paths> make_paths(Divergence divergence);

}  // namespace heddle::exec
