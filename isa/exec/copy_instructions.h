// Asynchronous copies from global to shared memory, lane by lane: LDGSTS.
#pragma once

#include <cstddef>

#include "isa/exec/addressing.h"
#include "isa/exec/decode.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// The family of asynchronous copies. The data arrive when the instruction issues; see LiveKernel.
class CopyInstructions {
 public:
  CopyInstructions(WarpMachine& machine, Addressing& addressing)
      : machine_(machine), addressing_(addressing) {}

  /// At least one lane executes. Throws KernelFault if one of them goes where it may not.
  void copy_to_shared(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  std::byte* shared_place(const Decoded& op, const Warp& warp, LaneMask executed, unsigned lane);
  const std::byte* global_place(const Decoded& op, const Warp& warp, LaneMask executed, unsigned lane);

  WarpMachine& machine_;
  Addressing& addressing_;
};

}  // namespace heddle::exec
