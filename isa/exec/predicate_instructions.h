// P2R and R2P, UP2UR and UR2UP: predicates as the bits of a register.
#pragma once

#include "isa/exec/decode.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// Bit i of a register stands for predicate i.
class PredicateInstructions {
 public:
  explicit PredicateInstructions(WarpMachine& machine) : machine_(machine) {}

  void pack(const Decoded& op, Warp& warp, LaneMask executed);
  void unpack(const Decoded& op, Warp& warp, LaneMask executed) const;

 private:
  WarpMachine& machine_;
};

}  // namespace heddle::exec
