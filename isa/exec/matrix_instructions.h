// Instructions on matrices, which the lanes of a warp, or four warps, hold together.
#pragma once

#include "isa/exec/addressing.h"
#include "isa/exec/decode.h"
#include "isa/exec/shared_matrix.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// Products in a warp (HMMA, QMMA, IMMA, BMMA, DMMA) and in a warpgroup (HGMMA, QGMMA, IGMMA, BGMMA), and moves of
/// matrices between registers and shared memory (LDSM, STSM).
class MatrixInstructions {
 public:
  MatrixInstructions(WarpMachine& machine, Addressing& addressing)
      : machine_(machine), addressing_(addressing) {}

  void multiply(const Decoded& op, Warp& warp, LaneMask executed);
  void load(const Decoded& op, Warp& warp, LaneMask executed);
  void store(const Decoded& op, Warp& warp, LaneMask executed);

  /// The warp's 16 of the 64 rows.
  void multiply_in_group(const Decoded& op, Warp& warp, LaneMask executed);
  void arrive_in_group(const Warp& warp, LaneMask executed);

 private:
  void multiply_whole(const Decoded& op, Warp& warp);
  void find_rows(const Decoded& op, Warp& warp, LaneMask executed, unsigned matrices);
  void require_float_bytes(const Decoded& op, const Warp& warp) const;
  void require_warpgroup(const Warp& warp, LaneMask executed) const;
  [[nodiscard]] SharedMatrix shared_matrix(const Warp& warp, const SourceRows& descriptors, unsigned which,
                                           bool is_transposed) const;

  WarpMachine& machine_;
  Addressing& addressing_;
};

}  // namespace heddle::exec
