// The instructions by which the warps of a block wait for one another: BAR, B2R.
#pragma once

#include <cstdint>

#include "isa/exec/decode.h"
#include "isa/exec/warp_machine.h"
#include "isa/stream/warp_source.h"

namespace heddle::exec {

/// Barriers of a block, and the reductions that they make. The timing model lets the warps wait.
class BarrierInstructions {
 public:
  explicit BarrierInstructions(WarpMachine& machine) : machine_(machine) {}

  /// All lanes of the warp arrive, or none does. Throws KernelFault otherwise, and where they disagree about
  /// the barrier.
  void arrive(const Decoded& op, Warp& warp, LaneMask executed);
  /// B2R.RESULT: what the reduction that the warp took part in last came to.
  void read_result(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  [[nodiscard]] stream::BarrierUse barrier_use(const Decoded& op, const Warp& warp, LaneMask executed) const;
  [[nodiscard]] std::uint32_t uniform(const Warp& warp, const SourceRows& rows, LaneMask executed) const;

  WarpMachine& machine_;
};

}  // namespace heddle::exec
