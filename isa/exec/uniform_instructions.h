// The instructions that write uniform registers and uniform predicates, which all lanes of a warp share.
#pragma once

#include "isa/exec/constant_loads.h"
#include "isa/exec/decode.h"
#include "isa/exec/lane_instructions.h"
#include "isa/exec/predicate_instructions.h"
#include "isa/exec/special_register_reads.h"
#include "isa/exec/warp_machine.h"
#include "isa/exec/warp_wide_instructions.h"

namespace heddle::exec {

/// The family of uniform instructions. Another family computes the result for each lane; the value of the
/// first lane that takes part is written for the warp.
class UniformInstructions {
 public:
  /// The families that compute what is written.
  struct Families {
    LaneInstructions& lanes;
    SpecialRegisterReads& special_registers;
    WarpWideInstructions& warp_wide;
    ConstantLoads& constants;
    PredicateInstructions& predicates;
  };

  UniformInstructions(WarpMachine& machine, const Families& families)
      : machine_(machine), families_(families) {}

  /// Where some lanes wait, they will see the value, too.
  void write(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  void compute(const Decoded& op, Warp& warp, LaneMask executed);
  void copy_first(const Decoded& op, Warp& warp, LaneMask executed);

  WarpMachine& machine_;
  Families families_;
};

}  // namespace heddle::exec
