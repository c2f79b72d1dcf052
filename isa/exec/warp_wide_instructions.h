// Instructions whose result depends on all lanes that execute them: shuffles, votes, matches, reductions.
#pragma once

#include "isa/exec/decode.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// Lanes are numbered within groups of 32, so that a mask of lanes fits a register; a warp of 64 is two such
/// groups.
class WarpWideInstructions {
 public:
  explicit WarpWideInstructions(WarpMachine& machine) : machine_(machine) {}

  void shuffle(const Decoded& op, Warp& warp, LaneMask executed);
  void vote(const Decoded& op, Warp& warp, LaneMask executed);
  void elect(const Decoded& op, Warp& warp, LaneMask executed);
  void match_any(const Decoded& op, Warp& warp, LaneMask executed);
  void match_all(const Decoded& op, Warp& warp, LaneMask executed);
  void reduce(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  WarpMachine& machine_;
};

}  // namespace heddle::exec
