// Instructions that each lane computes for itself: arithmetic, logic, conversions, comparisons.
#pragma once

#include <array>
#include <cstdint>

#include "isa/exec/decode.h"
#include "isa/exec/semantics.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// The family of lane instructions. Lane functions compute whole rows (semantics.h); this class keeps the
/// results of lanes that do not execute out of the registers.
class LaneInstructions {
 public:
  explicit LaneInstructions(WarpMachine& machine) : machine_(machine), constants_(machine.constants) {
    plain_args_.second = &lost_carries_;
    plain_args_.lanes = machine.lanes;
  }
  LaneInstructions(const LaneInstructions&) = delete;  // it points into itself
  LaneInstructions& operator=(const LaneInstructions&) = delete;

  /// Executes a plain instruction (Decoded::is_plain) for all lanes of the row. The result goes to `result`.
  void run_plain(const Decoded& op, const Warp& warp, std::uint32_t* result) {
    const std::uint32_t* registers = warp.registers.get();
    plain_args_.out = result;
    plain_args_.a = (op.a.constant ? constants_ : registers) + op.a.offset;
    plain_args_.b = (op.b.constant ? constants_ : registers) + op.b.offset;
    plain_args_.c = (op.c.constant ? constants_ : registers) + op.c.offset;
    plain_args_.immediate = op.immediate;
    op.function(plain_args_);
  }

  /// Executes any lane instruction, for the lanes that execute.
  void run(const Decoded& op, Warp& warp, LaneMask executed);
  /// Executes an instruction of the uniform datapath. Writes the whole row.
  void run_uniform(const Decoded& op, Warp& warp, LaneMask executed) { run_any(op, warp, executed, true); }

 private:
  void run_any(const Decoded& op, Warp& warp, LaneMask executed, bool whole);
  static void write_predicates(const Decoded& op, Warp& warp, const LaneArgs& args, LaneMask holds,
                               LaneMask executed);
  const std::uint32_t* modified_source(const Decoded& op, const Warp& warp, const SourceRows& rows,
                                       std::uint32_t* out) const;

  WarpMachine& machine_;
  const std::uint32_t* constants_;  // the machine's, at hand: each instruction asks for them
  LaneMask lost_carries_ = 0;       // where nobody wants them
  LaneArgs plain_args_;             // for plain instructions; what one does not set stays from another
  alignas(64) std::array<std::uint32_t, 4 * kMaxWarpSize> partial_result_{};  // results under a partial mask
};

}  // namespace heddle::exec
